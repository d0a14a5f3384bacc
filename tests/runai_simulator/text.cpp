#include "tests/runai_simulator/text.hpp"

#include <algorithm>
#include <cctype>

namespace runai_simulator {
namespace {

int hex_digit(char character) {
  if (character >= '0' && character <= '9') return character - '0';
  const int lower = std::tolower(static_cast<unsigned char>(character));
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t after_star = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool matches_any(const std::vector<std::string>& patterns, std::string_view text) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return matches_glob(pattern, text); });
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (auto& character : result) character = static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
  return result;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string percent_decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    if (escaped) {
      result += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::map<std::string, std::string> decode_form(std::string_view text) {
  std::map<std::string, std::string> fields;
  for (auto part : split(text, '&')) {
    if (part.empty()) continue;
    std::replace(part.begin(), part.end(), '+', ' ');
    const auto equals = std::min(part.find('='), part.size());
    fields[percent_decoded(part.substr(0, equals))] =
        equals == part.size() ? "" : percent_decoded(std::string_view(part).substr(equals + 1));
  }
  return fields;
}

std::string base64url(std::string_view bytes) {
  static constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string result;
  unsigned bits = 0;
  int count = 0;
  for (const char byte : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(byte);
    for (count += 8; count >= 6; count -= 6) result += alphabet[bits >> (count - 6) & 63];
  }
  if (count > 0) result += alphabet[bits << (6 - count) & 63];
  return result;
}

std::optional<std::vector<std::string>> shell_words(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char character = text[i];
    const bool blank = character == ' ' || character == '\t' || character == '\n';
    if (quote == '\0' && blank) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (character == quote) {
      quote = '\0';
    } else if (quote == '\0' && (character == '\'' || character == '"')) {
      quote = character;
    } else if (character == '\\' && quote != '\'' && i + 1 < text.size() &&
               (quote == '\0' || text[i + 1] == '"' || text[i + 1] == '\\' || text[i + 1] == '$')) {
      words.back() += text[++i];
    } else {
      words.back() += character;
    }
  }
  if (quote != '\0') return std::nullopt;
  return words;
}

std::uint64_t random_below(Random& random, std::uint64_t bound) {
  return random() % bound;
}

std::string random_uuid(Random& random) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string result = "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx";
  for (auto& character : result) {
    if (character == 'x') character = digits[random_below(random, 16)];
  }
  return result;
}

std::string random_letters(Random& random, std::size_t count) {
  std::string result;
  while (result.size() < count) result += static_cast<char>('a' + static_cast<int>(random_below(random, 26)));
  return result;
}

}  // namespace runai_simulator
