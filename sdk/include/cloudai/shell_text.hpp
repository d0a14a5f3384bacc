// Values as bash text, for schedulers that write scripts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

namespace detail {

inline constexpr std::size_t not_closed = std::string_view::npos;

inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool starts_name(char c) {
  return is_letter(c) || c == '_';
}
inline bool continues_name(char c) {
  return starts_name(c) || is_digit(c);
}

inline std::size_t end_of_name(std::string_view text, std::size_t begin) {
  if (begin >= text.size() || !starts_name(text[begin])) return not_closed;
  std::size_t end = begin + 1;
  while (end < text.size() && continues_name(text[end])) ++end;
  return end;
}

inline std::size_t end_of_command(std::string_view text, std::size_t begin);

// Where the double-quoted text that starts at `begin`, after the quote, ends.
inline std::size_t end_of_double_quotes(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin; i < text.size();) {
    if (text[i] == '"') return i + 1;
    if (text[i] == '\\') {
      i += 2;
    } else if (text.substr(i, 2) == "$(") {
      i = end_of_command(text, i + 2);
    } else {
      ++i;
    }
  }
  return not_closed;
}

// Where the command that starts at `begin`, after `$(` or `(`, ends: past its closing parenthesis. not_closed if it is
// not closed.
inline std::size_t end_of_command(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin; i < text.size();) {
    switch (text[i]) {
      case ')':
        return i + 1;
      case '\\':
        i += 2;
        break;
      case '\'':
        i = text.find('\'', i + 1);
        if (i != not_closed) ++i;
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
  return not_closed;
}

// Where the expansion that starts with the dollar at `dollar` ends, or not_closed if the dollar is a plain one.
inline std::size_t end_of_expansion(std::string_view text, std::size_t dollar) {
  const std::size_t next = dollar + 1;
  if (text.substr(next, 1) == "(") return end_of_command(text, next + 1);
  if (text.substr(next, 1) != "{") return end_of_name(text, next);
  const std::size_t end = end_of_name(text, next + 1);
  return end != not_closed && text.substr(end, 1) == "}" ? end + 1 : not_closed;
}

}  // namespace detail

// Whether no job can be given a variable of this name: bash keeps it to itself, or the script that runs the job does,
// which knows its time limits and its processes by it.
inline bool is_kept_by_shell(std::string_view name) {
  constexpr std::array<std::string_view, 15> kept{"BASHOPTS",
                                                  "BASHPID",
                                                  "BASH_VERSINFO",
                                                  "CLOUDAI_PROCESS_MARK",
                                                  "EUID",
                                                  "FUNCNAME",
                                                  "GROUPS",
                                                  "LINENO",
                                                  "PPID",
                                                  "RANDOM",
                                                  "SECONDS",
                                                  "SHELLOPTS",
                                                  "SRANDOM",
                                                  "UID",
                                                  "_"};
  return name.substr(0, 8) == "cloudai_" || std::find(kept.begin(), kept.end(), name) != kept.end();
}

// One word that bash takes literally: bare where nothing in it is special, else in single quotes.
inline std::string literal_word(std::string_view text) {
  const auto is_plain = [](char c) {
    return detail::continues_name(c) || std::string_view("./:=@%+,-").find(c) != std::string_view::npos;
  };
  // Inside a word, as in the name of an image, '#' begins no comment.
  const auto is_plain_inside = [&](char c) { return is_plain(c) || c == '#'; };
  if (!text.empty() && is_plain(text[0]) && std::all_of(text.begin(), text.end(), is_plain_inside)) {
    return std::string(text);
  }
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

// The words of a command, each literal, with blanks between.
inline std::string literal_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + literal_word(word);
  return text;
}

// One word in double quotes, in which bash expands $NAME, ${NAME} and $(command) and takes everything else literally;
// `\$` is a dollar. A `$(` that is never closed is literal.
inline std::string expanding_word(std::string_view text) {
  std::string word = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '$') {
      const std::size_t end = detail::end_of_expansion(text, i);
      if (end == detail::not_closed) {
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

// True if expanding_word(text) runs a command.
inline bool runs_a_command(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && text.substr(i + 1, 1) == "$") {
      ++i;
    } else if (text.substr(i, 2) == "$(" && detail::end_of_expansion(text, i) != detail::not_closed) {
      return true;
    }
  }
  return false;
}

// `text` on one line: control characters become blanks. For comments and messages.
inline std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return line;
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
