// What of a process a module must leave as it found it.
#pragma once

#include <string>
#include <vector>

namespace cloudai::conformance {

struct ProcessState {
  std::string directory;
  std::string locale;
  unsigned umask = 0;
  std::vector<std::string> environment;  // sorted
  std::vector<std::string> signals;      // what is done with each, and which are blocked
  std::vector<std::string> descriptors;  // "3 → /path"
};

ProcessState process_state();

// A sentence for each thing that is not as it was.
std::vector<std::string> differences(const ProcessState& before, const ProcessState& after);

}  // namespace cloudai::conformance
