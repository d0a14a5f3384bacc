#include "core/run/file_watch.hpp"

#include <sys/inotify.h>
#include <boost/asio/buffer.hpp>
#include <cstring>
#include <utility>

namespace cloudai::run {

FileWatch::FileWatch(boost::asio::io_context& loop, std::function<void()> on_change)
    : inotify_(loop), on_change_(std::move(on_change)) {
  const int fd = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (fd < 0) return;
  inotify_.assign(fd);
  read_events();
}

void FileWatch::add(const std::filesystem::path& file) {
  if (!inotify_.is_open()) return;
  const std::string directory = file.parent_path().string();
  const int watch =
      ::inotify_add_watch(inotify_.native_handle(), directory.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR);
  if (watch < 0) return;
  directories_[directory] = watch;
  files_.insert({watch, file.filename().string()});
  // It may have appeared before the watch stood.
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) handle(watch, file.filename().string());
}

void FileWatch::remove(const std::filesystem::path& file) {
  const auto directory = directories_.find(file.parent_path().string());
  if (directory == directories_.end()) return;
  const int watch = directory->second;
  files_.erase({watch, file.filename().string()});
  const auto next_in_directory = files_.lower_bound({watch, std::string()});
  if (next_in_directory != files_.end() && next_in_directory->first == watch) return;
  ::inotify_rm_watch(inotify_.native_handle(), watch);
  directories_.erase(directory);
}

void FileWatch::handle(int descriptor, const std::string& name) {
  if (files_.contains({descriptor, name})) on_change_();
}

void FileWatch::read_events() {
  inotify_.async_read_some(boost::asio::buffer(buffer_), [this](boost::system::error_code error, std::size_t size) {
    if (error) return;
    for (std::size_t offset = 0; offset + sizeof(inotify_event) <= size;) {
      inotify_event event{};
      std::memcpy(&event, buffer_.data() + offset, sizeof event);
      if (event.len > 0) handle(event.wd, buffer_.data() + offset + sizeof event);
      offset += sizeof event + event.len;
    }
    read_events();
  });
}

}  // namespace cloudai::run
