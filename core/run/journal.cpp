#include "core/run/journal.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <system_error>

#include "core/support/time.hpp"

namespace cloudai::run {

namespace {

tl::unexpected<Error> cannot_write(const std::filesystem::path& path) {
  return trouble("cannot write the journal '" + path.string() + "': " + std::generic_category().message(errno) + ".");
}

}  // namespace

Result<std::unique_ptr<Journal>> Journal::create(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return cannot_write(path);
  return std::unique_ptr<Journal>(new Journal(path, fd));
}

Journal::~Journal() {
  ::close(fd_);
}

Result<void> Journal::append(std::string_view event, const Json& fields) {
  if (listener_) listener_(event, fields);
  Json record = {{"time", rfc3339(Clock::now())}, {"event", event}};
  record.update(fields);
  const std::string line = record.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  const std::lock_guard lock(mutex_);
  const ssize_t written = ::write(fd_, line.data(), line.size());
  if (written == static_cast<ssize_t>(line.size())) return {};
  if (written >= 0) errno = ENOSPC;  // a short write to a file: the disk is full
  return cannot_write(path_);
}

Result<void> Journal::append_durably(std::string_view event, const Json& fields) {
  if (auto appended = append(event, fields); !appended) return appended;
  if (::fdatasync(fd_) != 0) return cannot_write(path_);
  return {};
}

}  // namespace cloudai::run
