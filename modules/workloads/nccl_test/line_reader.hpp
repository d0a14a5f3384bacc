// Splits a stream into lines without trusting it to have any.
#pragma once

#include <array>
#include <cstddef>
#include <istream>
#include <string>
#include <string_view>

namespace cloudai::nccl_test {

// Calls `use(line, number, complete)` for each line, counted from 1. Of a line longer than `longest_line` only the
// beginning is given. `complete` is false for a last line without an end.
template <class Use>
void for_each_line(std::istream& stream, Use&& use) {
  constexpr std::size_t longest_line = 16384;
  std::array<char, 65536> buffer;
  std::string line;
  int number = 1;
  bool pending = false;
  while (stream) {
    stream.read(buffer.data(), buffer.size());
    std::string_view rest(buffer.data(), static_cast<std::size_t>(stream.gcount()));
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      const std::string_view piece = rest.substr(0, end);
      line.append(piece.substr(0, longest_line - line.size()));
      pending = true;
      if (end == std::string_view::npos) break;
      use(std::string_view(line), number++, true);
      line.clear();
      pending = false;
      rest.remove_prefix(end + 1);
    }
  }
  if (pending) use(std::string_view(line), number, false);
}

}  // namespace cloudai::nccl_test
