// Requests as the core would send them, made up from a manifest.
#pragma once

#include <filesystem>

#include "core/module/catalogue.hpp"
#include "core/support/json.hpp"

namespace cloudai::conformance {

// A value that `schema` accepts: its default, else the least it allows. Of a table the defaults and what is required.
Json sample_value(const Json& schema);

Json sample_test(const module::Provided& workload);  // cloudai.test/1
Json sample_run(const module::Provided& workload, const std::filesystem::path& directory);
// Of a stage in `directory` that ended with exit status 0.
Json sample_stage(const module::Provided& workload, const std::filesystem::path& directory, const Json& plan);

Json sample_open(const module::Provided& scheduler, const std::filesystem::path& directory, bool offline);
// One run with a main stage that runs `true`; with a prologue and an epilogue where the scheduler can do that.
Json sample_job(const module::Provided& scheduler, const std::filesystem::path& directory, const Json& nodes);

}  // namespace cloudai::conformance
