// Completing what the user wrote with the defaults of a schema.
#pragma once

#include "core/support/json.hpp"

namespace cloudai::config {

// `value` with the "default" of every member of `schema` that it lacks, at every depth; a table that is absent and has
// no default of its own stays absent. Members come in the schema's order, then those it does not name in the value's.
Json with_defaults(const Json& value, const Json& schema);

}  // namespace cloudai::config
