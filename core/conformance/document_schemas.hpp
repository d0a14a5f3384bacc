// The JSON Schemas of the documents that cross the module boundary, built in from sdk/schemas/.
#pragma once

#include <span>

namespace cloudai::conformance {

struct DocumentSchema {
  const char* name;  // "plan"
  const char* text;
};

std::span<const DocumentSchema> document_schemas();

}  // namespace cloudai::conformance
