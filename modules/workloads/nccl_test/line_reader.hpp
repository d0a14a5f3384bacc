// Splits a stream into lines without trusting it to have any.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <istream>
#include <limits>
#include <string_view>
#include <vector>

namespace cloudai::nccl_test {

// Calls `use(line, number, complete)` for each line, counted from 1. Of a line longer than `longest_line` only the
// beginning is given. `complete` is false for a last line without an end.
template <class Use>
void for_each_line(std::istream& stream, Use&& use) {
  constexpr std::size_t longest_line = 16384;
  constexpr std::size_t piece = 131072;
  std::vector<char> buffer(longest_line + piece);
  char* const begin = buffer.data();
  std::size_t kept = 0;  // of the line whose end is not read yet
  int number = 1;
  const auto cut = [&](std::size_t size) { return std::min(size, longest_line); };
  while (stream) {
    stream.read(begin + kept, piece);
    char* const end = begin + kept + stream.gcount();
    char* line = begin;
    char* unseen = begin + kept;
    while (auto* const newline =
               static_cast<char*>(std::memchr(unseen, '\n', static_cast<std::size_t>(end - unseen)))) {
      use(std::string_view(line, cut(static_cast<std::size_t>(newline - line))), number, true);
      if (number < std::numeric_limits<int>::max()) ++number;
      line = unseen = newline + 1;
    }
    kept = cut(static_cast<std::size_t>(end - line));
    std::memmove(begin, line, kept);
  }
  if (kept > 0) use(std::string_view(begin, kept), number, false);
}

}  // namespace cloudai::nccl_test
