// The directory a scenario's results go to.
#pragma once

#include <filesystem>
#include <string>

#include "core/support/result.hpp"
#include "core/support/time.hpp"

namespace cloudai::run {

// Makes <output_path>/<scenario>_<local time>, with "-2", "-3", … when that exists already, and returns it. output_path
// itself is made if only its last component is missing; every other trouble is an error that names the path and the
// reason.
Result<std::filesystem::path> make_results_directory(const std::filesystem::path& output_path,
                                                     const std::string& scenario_name, Clock::time_point now);

}  // namespace cloudai::run
