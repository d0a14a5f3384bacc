// The system file.
#pragma once

#include <filesystem>

#include "core/config/diagnostics.hpp"
#include "core/config/model.hpp"
#include "core/config/path_expansion.hpp"
#include "core/module/catalogue.hpp"

namespace cloudai::config {

struct SystemReading {
  System system;                                // complete if there was no error
  const module::Provided* scheduler = nullptr;  // null if its module is not there
};

// `root` is the whole file. The keys that are not common to all systems are the scheduler's options, checked against
// its schema.
SystemReading read_system(const Node& root, const std::filesystem::path& file, const module::Catalogue& modules,
                          const Environment& environment, Diagnostics& diagnostics);

}  // namespace cloudai::config
