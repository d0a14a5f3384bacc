// What commands say of a module in their JSON.
#pragma once

#include "core/app/output.hpp"
#include "core/module/catalogue.hpp"

namespace cloudai::app {

// One thing that a module provides: kind, name, interface, and the module's id, version and path.
Json module_document(const module::ModuleFile& file, const module::Provided& provided);

}  // namespace cloudai::app
