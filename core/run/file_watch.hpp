// Tells at once when one of some files appears or is closed after writing, so that an ended job is seen before the next
// poll.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace cloudai::run {

// A hint only: where the kernel cannot watch (a network file system written elsewhere, too many watches) the next poll
// finds out.
class FileWatch {
 public:
  // `on_change` runs on `loop`, once for each change of a watched file.
  FileWatch(boost::asio::io_context& loop, std::function<void()> on_change);

  void add(const std::filesystem::path& file);
  void remove(const std::filesystem::path& file);

 private:
  void read_events();
  void handle(int descriptor, const std::string& name);

  boost::asio::posix::stream_descriptor inotify_;
  std::function<void()> on_change_;
  std::set<std::pair<int, std::string>> files_;  // (watch descriptor of the directory, name)
  std::map<std::string, int> directories_;
  alignas(8) std::array<char, 16384> buffer_{};
};

}  // namespace cloudai::run
