#include "modules/reporters/results/printable.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace cloudai::results {

namespace {

constexpr char32_t replacement = 0xFFFD;

// How many bytes the character takes that starts with `lead`; 0 if none does.
std::size_t length_of(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

bool is_overlong_or_no_character(char32_t code, std::size_t length) {
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  return code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) || (code & 0xFFFE) == 0xFFFE;
}

// Takes the first character off `text`, which is not empty; a byte that belongs to none is U+FFFD.
char32_t take_character(std::string_view& text) {
  const auto byte_at = [&](std::size_t place) { return static_cast<unsigned char>(text[place]); };
  const std::size_t length = length_of(byte_at(0));
  const auto is_continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  if (length == 0 || length > text.size() ||
      !std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), is_continuation)) {
    text.remove_prefix(1);
    return replacement;
  }
  constexpr std::array<unsigned, 5> lead_bits{0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code = byte_at(0) & lead_bits[length];
  for (std::size_t i = 1; i < length; ++i) code = (code << 6U) | (byte_at(i) & 0x3FU);
  text.remove_prefix(length);
  return is_overlong_or_no_character(code, length) ? replacement : code;
}

void append(std::string& out, char32_t code) {
  const auto add = [&](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0 | (code >> 6U));
    add(0x80 | (code & 0x3FU));
  } else {
    if (code < 0x10000) {
      add(0xE0 | (code >> 12U));
    } else {
      add(0xF0 | (code >> 18U));
      add(0x80 | ((code >> 12U) & 0x3FU));
    }
    add(0x80 | ((code >> 6U) & 0x3FU));
    add(0x80 | (code & 0x3FU));
  }
}

// Control characters without a picture, and what changes lines or the direction of writing.
bool acts(char32_t code) {
  return (code >= 0x80 && code < 0xA0) || code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string shown(std::string_view text, bool on_one_line) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const char32_t code = take_character(text);
    if (code == '\n' || code == '\t') {
      result += on_one_line ? ' ' : static_cast<char>(code);
    } else if (code < 0x20) {
      append(result, 0x2400 + code);
    } else if (code == 0x7F) {
      append(result, 0x2421);
    } else if (acts(code)) {
      std::array<char, 16> number{};
      std::snprintf(number.data(), number.size(), "<U+%04X>", static_cast<unsigned>(code));
      result += number.data();
    } else {
      append(result, code);
    }
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) {
  return shown(text, false);
}

std::string printable_line(std::string_view text) {
  return shown(text, true);
}

}  // namespace cloudai::results
