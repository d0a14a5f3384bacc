// Whether a text stands in a file, as the gates of scripts find it (`holds` in cloudai/stage_script.hpp): for who
// decides a gate without a shell.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

namespace detail {
// What of a file's text can still be the beginning of a match, and what is read next.
class TextSearch {
 public:
  explicit TextSearch(std::string_view text) : text_(text), has_lines_(text.find('\n') != std::string_view::npos) {}

  // True once the text was found.
  bool add(std::string piece) {
    if (has_lines_) hold_back(piece);
    window_ += piece;
    if (window_.find(text_) != std::string::npos) return true;
    if (window_.size() >= text_.size()) window_.erase(0, window_.size() - text_.size() + 1);
    return false;
  }

 private:
  // A shell that reads a file into a word drops its NUL bytes and the line ends at its end.
  void hold_back(std::string& piece) {
    piece.erase(std::remove(piece.begin(), piece.end(), '\0'), piece.end());
    piece.insert(0, held_);
    const std::size_t last = piece.find_last_not_of('\n');
    const std::size_t size = last == std::string::npos ? 0 : last + 1;
    held_ = piece.substr(size);
    piece.resize(size);
  }

  std::string_view text_;
  bool has_lines_;
  std::string window_;
  std::string held_;
};
}  // namespace detail

// False, too, for what is no regular file or cannot be read. An empty text stands in every file that is not empty.
inline bool file_holds(const std::filesystem::path& file, std::string_view text) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return false;
  std::ifstream stream(file, std::ios::binary);
  detail::TextSearch search(text);
  std::array<char, 65536> buffer{};
  while (stream.read(buffer.data(), buffer.size()) || stream.gcount() > 0) {
    if (search.add(std::string(buffer.data(), static_cast<std::size_t>(stream.gcount())))) return true;
  }
  return false;
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
