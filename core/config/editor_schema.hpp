// The JSON Schemas of configuration files for editors: the common keys with those of the modules that are there.
//
// Without a module's name a schema is for files with any of them: all options are named with their descriptions, so
// that an editor offers them, and which of them are right hangs on the name that the file itself gives.
#pragma once

#include "core/module/catalogue.hpp"
#include "core/support/json.hpp"

namespace cloudai::config {

// `workload`, `scheduler`: the one that the files are for, or null.
Json test_editor_schema(const module::Catalogue& modules, const module::Provided* workload);
Json system_editor_schema(const module::Catalogue& modules, const module::Provided* scheduler);
Json scenario_editor_schema(const module::Catalogue& modules);

}  // namespace cloudai::config
