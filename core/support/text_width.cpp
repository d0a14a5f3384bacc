#include "core/support/text_width.hpp"

#include <algorithm>
#include <array>
#include <clocale>
#include <cwchar>
#include <optional>

namespace cloudai {

namespace {

// The C library knows the widths of characters, but only in a locale of UTF-8: for as long as this object lives and in
// this thread alone, since other locales than "C" change how numbers are read.
class Utf8Locale {
 public:
  Utf8Locale() : before_(utf8() != nullptr ? ::uselocale(utf8()) : nullptr) {}
  ~Utf8Locale() {
    if (before_ != nullptr) ::uselocale(before_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

  static bool is_known() { return utf8() != nullptr; }

 private:
  static locale_t utf8() {
    static const locale_t locale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return locale;
  }

  locale_t before_;
};

struct Character {
  std::size_t bytes = 1;
  std::optional<std::size_t> columns;  // nothing: it cannot be shown
};

// The first character of `text`, which is not empty.
Character first_of(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte < 0x20 || byte == 0x7f) return {};
  if (byte < 0x80) return {1, 1};
  if (!Utf8Locale::is_known()) return {1, (byte & 0xC0U) == 0x80U ? 0 : 2};
  wchar_t wide = 0;
  std::mbstate_t state{};
  const std::size_t bytes = std::mbrtowc(&wide, text.data(), text.size(), &state);
  if (bytes == 0 || bytes > text.size()) return {};
  const int columns = ::wcwidth(wide);
  if (columns < 0) return {bytes, std::nullopt};
  return {bytes, static_cast<std::size_t>(columns)};
}

// Marks that turn the direction of writing or end a line.
bool acts(std::string_view character) {
  constexpr std::array<std::string_view, 14> acting{"\u061C", "\u200E", "\u200F", "\u2028", "\u2029",
                                                    "\u202A", "\u202B", "\u202C", "\u202D", "\u202E",
                                                    "\u2066", "\u2067", "\u2068", "\u2069"};
  return std::find(acting.begin(), acting.end(), character) != acting.end();
}

std::string harmless(std::string_view text, std::string_view kept) {
  const Utf8Locale locale;
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_of(text);
    const std::string_view bytes = text.substr(0, character.bytes);
    const auto byte = static_cast<unsigned char>(text.front());
    if (byte < 0x20 || byte == 0x7f) {
      result += kept.find(text.front()) != std::string_view::npos ? text.front() : ' ';
    } else if (!character.columns || acts(bytes)) {
      result += '?';
    } else {
      result += bytes;
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

}  // namespace

std::string one_line(std::string_view text) {
  return harmless(text, "");
}

std::string without_controls(std::string_view text) {
  return harmless(text, "\n\t");
}

std::size_t columns_of(std::string_view text) {
  const Utf8Locale locale;
  std::size_t columns = 0;
  while (!text.empty()) {
    const Character character = first_of(text);
    columns += character.columns.value_or(1);
    text.remove_prefix(character.bytes);
  }
  return columns;
}

std::string fit_columns(std::string_view text, std::size_t columns) {
  const Utf8Locale locale;
  constexpr std::string_view ellipsis = "...";
  std::string result;
  std::size_t used = 0;
  std::size_t cut = 0;  // the bytes of the result that leave room for the ellipsis
  while (!text.empty()) {
    const Character character = first_of(text);
    const std::size_t width = character.columns.value_or(1);
    if (used + width > columns) return result.substr(0, cut) + std::string(ellipsis.substr(0, columns));
    result += character.columns ? text.substr(0, character.bytes) : "?";
    used += width;
    text.remove_prefix(character.bytes);
    if (used + ellipsis.size() <= columns) cut = result.size();
  }
  return result;
}

}  // namespace cloudai
