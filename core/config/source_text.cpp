#include "core/config/source_text.hpp"

#include <boost/locale/utf.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace cloudai::config {
namespace {

// yaml-cpp holds a whole line of brackets, at a hundred bytes each, before it hands out the first.
constexpr std::size_t longest_line = std::size_t{1} << 20U;

using Utf8 = boost::locale::utf::utf_traits<char>;

std::string hexadecimal(std::uint32_t number, int digits) {
  std::string text;
  for (int i = digits - 1; i >= 0; --i) text += "0123456789ABCDEF"[(number >> (4 * i)) & 0xFU];
  return text;
}

// The name of the encoding whose byte order mark begins the text; empty if it is none, or UTF-8.
std::string_view foreign_encoding(std::string_view content) {
  using namespace std::string_view_literals;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> marks = {
      {{"\xFF\xFE\0\0"sv, "UTF-32"}, {"\0\0\xFE\xFF"sv, "UTF-32"}, {"\xFF\xFE"sv, "UTF-16"}, {"\xFE\xFF"sv, "UTF-16"}}};
  for (const auto& [mark, name] : marks) {
    if (content.starts_with(mark)) return name;
  }
  return {};
}

// What is wrong with the character that begins at `begin`, or empty.
std::string fault_of(std::string_view text, std::size_t begin, std::uint32_t character) {
  if (!boost::locale::utf::is_valid_codepoint(character)) {
    return "found the byte 0x" + hexadecimal(static_cast<unsigned char>(text[begin]), 2) +
           ", which is not UTF-8. Save the file as UTF-8.";
  }
  if (character == 0) return "found a NUL byte. A configuration file is text; save it as UTF-8.";
  if (character == '\r') {
    if (begin + 1 < text.size() && text[begin + 1] == '\n') return {};
    return "found a carriage return without a line feed, expected both or the line feed alone at the end of a line.";
  }
  const bool is_control = (character < 0x20 && character != '\t' && character != '\n') || character == 0x7F;
  if (!is_control) return {};
  return "found the control character U+" + hexadecimal(character, 4) +
         ". Remove it, or write it as an escape sequence in double quotes.";
}

}  // namespace

std::optional<std::string_view> as_text(std::string_view content, const std::shared_ptr<const std::string>& file,
                                        Diagnostics& diagnostics) {
  if (const std::string_view encoding = foreign_encoding(content); !encoding.empty()) {
    diagnostics.error({file, 1, 1}, "the file is in " + std::string(encoding) + ", expected UTF-8. Save it as UTF-8.");
    return std::nullopt;
  }
  if (content.starts_with("\xEF\xBB\xBF")) content.remove_prefix(3);
  Position position{file, 1, 1};
  std::size_t line_start = 0;
  for (const char *at = content.data(), *const end = at + content.size(); at != end;) {
    const auto begin = static_cast<std::size_t>(at - content.data());
    const std::uint32_t character = Utf8::decode(at, end);
    std::string fault = fault_of(content, begin, character);
    if (fault.empty() && begin - line_start >= longest_line && character != '\n') {
      fault = "the line is longer than 1 MiB. Break it into several.";
    }
    if (!fault.empty()) {
      diagnostics.error(std::move(position), std::move(fault));
      return std::nullopt;
    }
    ++position.column;
    if (character == '\n') {
      ++position.line;
      position.column = 1;
      line_start = begin + 1;
    }
  }
  return content;
}

TextPlaces::TextPlaces(std::string_view text) : text_(text), line_starts_{0} {
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n', end + 1)) {
    line_starts_.push_back(end + 1);
  }
}

void TextPlaces::go_to_line(std::uint32_t line) {
  const std::size_t start = line <= line_starts_.size() ? line_starts_[std::max(line, 1U) - 1] : text_.size();
  if (start == line_start_) return;
  line_start_ = start;
  go_to_line_start();
}

void TextPlaces::go_to_line_start() {
  offset_ = line_start_;
  column_ = 1;
}

void TextPlaces::next_character() {
  ++column_;
  do {
    ++offset_;
  } while (offset_ < text_.size() && (static_cast<unsigned char>(text_[offset_]) & 0xC0U) == 0x80U);
}

std::uint32_t TextPlaces::column(std::uint32_t line, std::size_t bytes) {
  go_to_line(line);
  if (offset_ > line_start_ + bytes) go_to_line_start();
  while (offset_ < line_start_ + bytes && !is_at_line_end()) next_character();
  return column_;
}

std::string_view TextPlaces::from(std::uint32_t line, std::uint32_t column) {
  go_to_line(line);
  if (column_ > column) go_to_line_start();
  while (column_ < column && !is_at_line_end()) next_character();
  return text_.substr(offset_);
}

}  // namespace cloudai::config
