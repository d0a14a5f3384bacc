#include "shell_text.hpp"

#include <algorithm>

namespace standalone {
namespace {

constexpr size_t none = std::string_view::npos;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool starts_name(char c) {
  return is_letter(c) || c == '_';
}
bool continues_name(char c) {
  return starts_name(c) || is_digit(c);
}

size_t end_of_name(std::string_view text, size_t begin) {
  if (begin >= text.size() || !starts_name(text[begin])) return none;
  size_t end = begin + 1;
  while (end < text.size() && continues_name(text[end])) ++end;
  return end;
}

size_t end_of_command(std::string_view text, size_t begin);

// Where the double-quoted text that starts at `begin`, after the quote, ends.
size_t end_of_double_quotes(std::string_view text, size_t begin) {
  for (size_t i = begin; i < text.size();) {
    if (text[i] == '"') return i + 1;
    if (text[i] == '\\') {
      i += 2;
    } else if (text.substr(i, 2) == "$(") {
      i = end_of_command(text, i + 2);
    } else {
      ++i;
    }
  }
  return none;
}

// Where the command that starts at `begin`, after `$(` or `(`, ends: past its closing parenthesis. none if it is not
// closed.
size_t end_of_command(std::string_view text, size_t begin) {
  for (size_t i = begin; i < text.size();) {
    switch (text[i]) {
      case ')':
        return i + 1;
      case '\\':
        i += 2;
        break;
      case '\'':
        i = text.find('\'', i + 1);
        if (i != none) ++i;
        break;
      case '"':
        i = end_of_double_quotes(text, i + 1);
        break;
      case '(':
        i = end_of_command(text, i + 1);
        break;
      default:
        ++i;
    }
  }
  return none;
}

// Where the expansion that starts with the dollar at `dollar` ends, or none if the dollar is a plain one.
size_t end_of_expansion(std::string_view text, size_t dollar) {
  const size_t next = dollar + 1;
  if (text.substr(next, 1) == "(") return end_of_command(text, next + 1);
  if (text.substr(next, 1) != "{") return end_of_name(text, next);
  const size_t end = end_of_name(text, next + 1);
  return end != none && text.substr(end, 1) == "}" ? end + 1 : none;
}

}  // namespace

std::string literal_word(std::string_view text) {
  const auto is_plain = [](char c) {
    return continues_name(c) || std::string_view("./:=@%+,-").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return std::string(text);
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

std::string literal_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + literal_word(word);
  return text;
}

std::string expanding_word(std::string_view text) {
  std::string word = "\"";
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '$') {
      const size_t end = end_of_expansion(text, i);
      if (end == none) {
        word += "\\$";
        ++i;
      } else {
        word += text.substr(i, end - i);
        i = end;
      }
    } else if (text.substr(i, 2) == "\\$") {
      word += "\\$";
      i += 2;
    } else {
      if (c == '\\' || c == '"' || c == '`') word += '\\';
      word += c;
      ++i;
    }
  }
  return word + "\"";
}

bool runs_a_command(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && text.substr(i + 1, 1) == "$") {
      ++i;
    } else if (text.substr(i, 2) == "$(" && end_of_expansion(text, i) != none) {
      return true;
    }
  }
  return false;
}

std::string one_line(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return line;
}

}  // namespace standalone
