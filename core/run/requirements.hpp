// What a test needs beside what its workload asks for, and what of it must not be shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/config/model.hpp"
#include "core/support/json.hpp"
#include "core/support/result.hpp"

namespace cloudai::run {

// The profiler of a test, as an item of cloudai.requirements/1. Nothing where the system runs containers: there it is
// part of the image. `facts` are the scheduler's.
std::optional<Json> profiler_requirement(const config::Test& test, const Json& facts);

// Whether every variable that is to be handed on (pass_env) is set in the environment of this process.
Result<void> check_passed_variables(const config::Configuration& configuration);

// The secrets that may stand in the command line of the test.
std::vector<std::string> secret_arguments(const config::Test& test);

// "program 'nsys'": an item for people.
std::string described(const Json& item);

}  // namespace cloudai::run
