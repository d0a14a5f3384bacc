// Host lists in Slurm's notation: "node[001-003,7]-ib[0-1],login".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slurm {

// The names, in the list's order and each once. Numbers are as wide as the lower bound of their range. The fillers
// Slurm prints where there is no host ("", "(null)", "None assigned", "n/a") are an empty list. Throws
// cloudai::Error(invalid_config) with the expression and the position for anything that is no list; never returns part
// of one.
std::vector<std::string> expand_host_list(std::string_view expression);

// A short notation with one bracket a name, in the order of first appearance. expand_host_list() of it gives the same
// names, in ascending order within a bracket.
std::string compress_host_list(const std::vector<std::string>& names);

// The order of people: digits compare as numbers, so that node2 stands before node10.
bool host_less(std::string_view left, std::string_view right);

}  // namespace slurm
