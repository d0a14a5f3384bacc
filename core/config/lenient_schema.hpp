// What a file may say, where a schema tells what it means.
#pragma once

#include "core/support/json.hpp"

namespace cloudai::config {

// `schema` for the eyes of an editor: a value in another type that the core takes as what is meant (coercion.hpp) is
// allowed, too, and what only the core understands is left out. Everything that the core accepts is accepted; a bound
// that the core checks after a conversion may be missed.
Json lenient_schema(const Json& schema);

}  // namespace cloudai::config
