// Whether a document of a module has the form that sdk/schemas/ describes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/json.hpp"

namespace cloudai::conformance {

// What is wrong with `document` by sdk/schemas/<name>.schema.json, a sentence each. `owner` names the document at the
// start of a sentence: "the plan".
std::vector<std::string> faults_of(const Json& document, std::string_view name, const std::string& owner);

}  // namespace cloudai::conformance
