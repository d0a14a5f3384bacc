// The command that runs a case again.
#pragma once

#include <string>
#include <vector>

namespace cloudai::html {

// The command that was given, as a shell reads it back, narrowed to one case; the whole scenario where `test_case` is
// empty. Nothing if what was given is no `cloudai run`.
std::string rerun_command(const std::vector<std::string>& arguments, const std::string& test_case);

}  // namespace cloudai::html
