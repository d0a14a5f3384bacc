// How many nodes a list of node expressions names.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cloudai::config {

// "node[001-003]" is 3, "a,b" 2, "partition:group:4" 4. Nothing if only the scheduler can tell
// ("partition:group:max_avail"), or if an expression is not understood: the scheduler that reads it has the word for
// what is wrong with it.
std::optional<int> node_count(const std::vector<std::string>& expressions);

}  // namespace cloudai::config
