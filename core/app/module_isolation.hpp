// Where the modules of a command run.
#pragma once

#include <map>
#include <string>

#include "core/app/commands.hpp"
#include "core/module/isolation.hpp"

namespace cloudai::app {

// Modules beside this executable run in its process, others in children, but for what `by_name` (the system file's
// [modules]) says. CLOUDAI_MODULE_ISOLATION=process or in-process, for tests, decides for all.
module::IsolationPolicy module_isolation(const GlobalOptions& global,
                                         std::map<std::string, module::Isolation> by_name = {});

}  // namespace cloudai::app
