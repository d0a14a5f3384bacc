// Whether the schema of a module's options is one the core understands and people can read.
#pragma once

#include <string>

#include "core/conformance/findings.hpp"
#include "core/support/json.hpp"

namespace cloudai::conformance {

// `owner` is "workload 'NcclTest'". Said is: a keyword outside the documented subset, an option without a description,
// a default that its own schema refuses, a required option that there is not, a pattern that is none.
void check_option_schema(const Json& schema, const std::string& owner, Findings& findings);

}  // namespace cloudai::conformance
