// Values that say what is meant in another type are taken as what is meant.
#pragma once

#include "core/config/document.hpp"
#include "core/support/json.hpp"

namespace cloudai::config {

// A copy of `node` in which a scalar whose type `schema` does not allow is converted to one that it allows, where that
// loses nothing: "20" to an integer, "1.5" or 2 to a number, 8.0 to an integer, "yes" or 1 to a boolean, true to a
// number, and a number to a string, spelt as in the file. Whatever cannot be converted stays for the schema check to
// refuse.
Node coerce(const Node& node, const Json& schema);

}  // namespace cloudai::config
