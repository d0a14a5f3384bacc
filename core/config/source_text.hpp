// The text of a configuration file, and what the readers of all formats refuse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/diagnostics.hpp"

namespace cloudai::config {

// What no person writes is refused before it can exhaust the stack.
inline constexpr std::size_t deepest_nesting = 64;
inline constexpr std::string_view nested_too_deep = "tables and lists are nested more than 64 deep.";
inline constexpr std::string_view not_finite =
    "found a number that is infinite or not a number, expected a finite one.";
inline constexpr std::string_view holds_nul =
    "found a string with the character U+0000, which no command or variable can hold.";

// What a file holds, without a byte order mark. Nothing, and one error, if that is no text in UTF-8: another encoding,
// control characters, a carriage return that ends no line, a line longer than 1 MiB.
std::optional<std::string_view> as_text(std::string_view content, const std::shared_ptr<const std::string>& file,
                                        Diagnostics& diagnostics);

// Finds places in a text. Lines and columns count from 1, columns in characters as people see them. Quick where the
// places of a line are asked for in their order.
class TextPlaces {
 public:
  explicit TextPlaces(std::string_view text);

  // The column of the byte `bytes` after the beginning of the line; the line's end if it is shorter.
  std::uint32_t column(std::uint32_t line, std::size_t bytes);

  // The text from a place on.
  std::string_view from(std::uint32_t line, std::uint32_t column);

 private:
  void go_to_line(std::uint32_t line);
  void go_to_line_start();
  bool is_at_line_end() const { return offset_ >= text_.size() || text_[offset_] == '\n'; }
  void next_character();

  std::string_view text_;
  std::vector<std::size_t> line_starts_;
  std::size_t line_start_ = 0;
  // A place in that line.
  std::size_t offset_ = 0;
  std::uint32_t column_ = 1;
};

}  // namespace cloudai::config
