// What a person sees of a program's output: a terminal of endless height, as far as cloudai makes use of one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace end_to_end {

// The lines of the screen after `output`, in which "\r", "\n", "\033[K" and colours are obeyed, and a line that is
// longer than `columns` goes on in the next one. Characters count as one column each. Any other escape sequence is an
// error.
std::vector<std::string> screen(const std::string& output, std::size_t columns);

// Every text that was drawn from the start of a line and cleared behind: the states of a live line, in order.
std::vector<std::string> live_lines(const std::string& output);

}  // namespace end_to_end
