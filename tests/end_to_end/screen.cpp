#include "tests/end_to_end/screen.hpp"

#include <algorithm>
#include <stdexcept>

namespace end_to_end {

namespace {

// The escape sequence at `at`: "\033[", parameters, a letter.
std::string sequence_at(const std::string& output, std::size_t at) {
  const std::size_t end = output.find_first_not_of("0123456789;[", at + 1);
  if (end == std::string::npos) throw std::runtime_error("an escape sequence is cut off");
  return output.substr(at, end - at + 1);
}

}  // namespace

std::vector<std::string> screen(const std::string& output, std::size_t columns) {
  std::vector<std::string> lines(1);
  std::size_t column = 0;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const char c = output[i];
    if (c == '\r') {
      column = 0;
    } else if (c == '\n') {
      lines.emplace_back();
    } else if (c == '\033') {
      const std::string sequence = sequence_at(output, i);
      if (sequence == "\033[K") {
        lines.back().resize(std::min(lines.back().size(), column));
      } else if (sequence.back() != 'm') {
        throw std::runtime_error("the escape sequence " + sequence.substr(1) + " is not known here");
      }
      i += sequence.size() - 1;
    } else {
      if (column == columns) {
        lines.emplace_back();
        column = 0;
      }
      if (lines.back().size() <= column) lines.back().resize(column + 1, ' ');
      lines.back()[column++] = c;
    }
  }
  return lines;
}

std::vector<std::string> live_lines(const std::string& output) {
  std::vector<std::string> lines;
  for (std::size_t at = output.find('\r'); at != std::string::npos; at = output.find('\r', at + 1)) {
    const std::size_t end = output.find_first_of("\r\n\033", at + 1);
    if (end == std::string::npos || end == at + 1 || output.compare(end, 3, "\033[K") != 0) continue;
    lines.push_back(output.substr(at + 1, end - at - 1));
  }
  return lines;
}

}  // namespace end_to_end
