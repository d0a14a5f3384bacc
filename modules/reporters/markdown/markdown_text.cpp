#include "modules/reporters/markdown/markdown_text.hpp"

#include <algorithm>

#include "modules/reporters/results/printable.hpp"

namespace cloudai::markdown {

namespace {

std::size_t longest_run_of_backticks(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string code(std::string_view text) {
  const std::string line = results::printable_line(text);
  if (line.empty()) return {};
  const std::string fence(longest_run_of_backticks(line) + 1, '`');
  // A blank at both ends is taken off again, unless there is nothing but blanks.
  const auto needs_blank = [](char c) { return c == ' ' || c == '`'; };
  const bool all_blank = line.find_first_not_of(' ') == std::string::npos;
  const std::string blank = !all_blank && (needs_blank(line.front()) || needs_blank(line.back())) ? " " : "";
  return fence + blank + line + blank + fence;
}

std::string table_code(std::string_view text) {
  std::string result;
  for (const char c : code(text)) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace cloudai::markdown
