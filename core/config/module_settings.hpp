// The tables [modules.<name>] of a system file.
#pragma once

#include <map>
#include <string>

#include "core/config/diagnostics.hpp"
#include "core/module/catalogue.hpp"
#include "core/module/isolation.hpp"

namespace cloudai::config {

// `table` is the table "modules"; what the system's schema does not allow is passed over, since the schema's check says
// so. Each name must be one that a module provides; that of a workload and of a reporter, say, stands for both.
std::map<std::string, module::Isolation> read_isolation(const Node& table, const module::Catalogue& modules,
                                                        Diagnostics& diagnostics);

}  // namespace cloudai::config
