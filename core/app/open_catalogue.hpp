// The modules a command works with.
#pragma once

#include "core/app/commands.hpp"
#include "core/module/catalogue.hpp"

namespace cloudai::app {

// Scans the search path of this user and these options. Broken files and conflicts go to the log as warnings, hidden
// files as a note, files that are no modules to debug.log alone.
module::Catalogue open_catalogue(const GlobalOptions& global);

}  // namespace cloudai::app
