#include "modules/reporters/tarball/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include "cloudai/error.hpp"

namespace cloudai::tarball {

namespace {

class Descriptor {
 public:
  // Neither follows a link nor waits for the other end of a FIFO.
  explicit Descriptor(const std::filesystem::path& path)
      : number_(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }

 private:
  int number_;
};

using Entry = std::unique_ptr<archive_entry, void (*)(archive_entry*)>;

Entry entry_of(const std::string& name, unsigned type, unsigned mode) {
  Entry entry(archive_entry_new(), archive_entry_free);
  if (!entry) throw Error(Status::failed, "The archive cannot be written: out of memory.");
  archive_entry_set_pathname(entry.get(), name.c_str());
  archive_entry_set_filetype(entry.get(), type);
  archive_entry_set_perm(entry.get(), static_cast<mode_t>(mode));
  archive_entry_set_mtime(entry.get(), 0, 0);
  return entry;
}

std::string system_text() {
  return std::generic_category().message(errno);
}

}  // namespace

Archive::Archive(results::OutputFile& file, std::function<bool()> is_cancelled)
    : file_(file), is_cancelled_(std::move(is_cancelled)), archive_(archive_write_new(), archive_write_free) {
  if (!archive_) throw Error(Status::failed, "The archive cannot be written: out of memory.");
  check(archive_write_set_format_gnutar(archive_.get()));
  check(archive_write_add_filter_gzip(archive_.get()));
  check(archive_write_set_filter_option(archive_.get(), "gzip", "timestamp", nullptr));
  check(archive_write_set_bytes_in_last_block(archive_.get(), 1));
  check(archive_write_open(archive_.get(), this, nullptr, &Archive::take, nullptr));
}

Archive::~Archive() {
  // Without it, freeing what was not closed would write the end of an archive.
  archive_write_fail(archive_.get());
}

// Called by the library, which is C: nothing may be thrown through it.
long Archive::take(archive* self, void* owner, const void* data, std::size_t size) {
  auto& writer = *static_cast<Archive*>(owner);
  try {
    writer.file_.write({static_cast<const char*>(data), size});
  } catch (...) {
    writer.failure_ = std::current_exception();
    archive_set_error(self, EIO, "the file cannot be written");
    return -1;
  }
  return static_cast<long>(size);
}

void Archive::check(long result) {
  if (failure_) std::rethrow_exception(failure_);
  if (result >= ARCHIVE_WARN) return;
  const char* why = archive_error_string(archive_.get());
  throw Error(Status::failed,
              std::string("The archive cannot be written: ") + (why != nullptr ? why : "unknown") + ".");
}

void Archive::begin(archive_entry& entry) {
  check(archive_write_header(archive_.get(), &entry));
}

void Archive::write(const char* data, std::size_t size) {
  while (size > 0) {
    const la_ssize_t written = archive_write_data(archive_.get(), data, size);
    check(written);
    if (written <= 0) throw Error(Status::failed, "The archive cannot be written: it takes no more data.");
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

std::string Archive::add_file(const std::filesystem::path& path, const std::string& name) {
  const Descriptor file(path);
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return "it cannot be opened: " + system_text();
  if (!S_ISREG(status.st_mode)) return "it is not a regular file";
  const Entry entry = entry_of(name, AE_IFREG, status.st_mode & 0777U);
  archive_entry_set_size(entry.get(), status.st_size);
  archive_entry_set_mtime(entry.get(), status.st_mtime, 0);
  begin(*entry);
  std::vector<char> buffer(std::size_t{1} << 20U);
  // Of a file that grows meanwhile, what it had; one that shrinks is filled up with zeros.
  for (off_t left = status.st_size; left > 0;) {
    if (is_cancelled_()) throw Error(Status::cancelled, "The archive is not written: the program was told to stop.");
    const auto most = static_cast<std::size_t>(std::min<off_t>(left, static_cast<off_t>(buffer.size())));
    const ssize_t got = ::read(file.number(), buffer.data(), most);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(Status::failed, path.string() + " cannot be read: " + system_text() + ".");
    if (got == 0) break;
    write(buffer.data(), static_cast<std::size_t>(got));
    left -= got;
  }
  check(archive_write_finish_entry(archive_.get()));
  return {};
}

void Archive::add_link(const std::string& name, const std::string& target) {
  const Entry entry = entry_of(name, AE_IFLNK, 0777);
  archive_entry_set_symlink(entry.get(), target.c_str());
  begin(*entry);
}

void Archive::add_text(const std::string& name, const std::string& text) {
  const Entry entry = entry_of(name, AE_IFREG, 0644);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(text.size()));
  begin(*entry);
  write(text.data(), text.size());
  check(archive_write_finish_entry(archive_.get()));
}

void Archive::close() {
  check(archive_write_close(archive_.get()));
}

}  // namespace cloudai::tarball
