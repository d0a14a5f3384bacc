// A job as one bash script. Pure: the same job gives the same bytes.
#pragma once

#include <string>

#include "cloudai/documents/scheduler.hpp"

namespace standalone {

inline constexpr const char* script_name = "cloudai_run.sh";

// The script. Throws cloudai::Error where the job cannot be run on one machine without containers.
std::string job_script(const cloudai::Job& job);

// The command of the job's main stage, as a person would type it.
std::string main_command(const cloudai::Job& job);

}  // namespace standalone
