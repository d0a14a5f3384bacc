// The examples of docs/documents.md as complete documents.
#pragma once

#include <map>
#include <string>

#include "cloudai/documents/value.hpp"

namespace cloudai::testing {

// By the value of their key "schema".
std::map<std::string, Json> documents_examples();

}  // namespace cloudai::testing
