// The modules a command works with.
#pragma once

#include <optional>

#include "core/app/commands.hpp"
#include "core/module/catalogue.hpp"

namespace cloudai::app {

// Scans the search path of this user and these options. Broken files go to the log as errors, conflicts as warnings,
// what is hidden as a note; files that are no modules to debug.log alone. With --strict-modules each of them is an
// error, and there is no catalogue.
std::optional<module::Catalogue> open_catalogue(const GlobalOptions& global);

}  // namespace cloudai::app
