// Checks documents against the published schemas of sdk/schemas/.
#pragma once

#include <string>
#include <vector>

#include "cloudai/documents/value.hpp"

namespace cloudai::testing {

// What is wrong with `document` by sdk/schemas/<name>.schema.json, e.g. "/steps/0: lacks …"; empty if nothing is.
std::vector<std::string> schema_violations(const std::string& name, const Json& document);

// The schema itself.
Json schema(const std::string& name);

// Every <name> of sdk/schemas/<name>.schema.json, sorted.
std::vector<std::string> schema_names();

}  // namespace cloudai::testing
