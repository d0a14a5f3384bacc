// The names that --report takes.
#pragma once

#include <string>
#include <vector>

#include "core/module/catalogue.hpp"

namespace cloudai::app {

// False, and every unknown name said, if one is not that of a reporter.
bool are_reporters(const std::vector<std::string>& names, const module::Catalogue& catalogue);

}  // namespace cloudai::app
