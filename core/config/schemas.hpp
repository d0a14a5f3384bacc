// The JSON Schemas of the keys that every file of a kind may have, built in from core/config/schemas/.
#pragma once

#include "core/support/json.hpp"

namespace cloudai::config {

const Json& system_schema();    // the keys common to all schedulers
const Json& test_schema();      // a test file
const Json& scenario_schema();  // a scenario file, hooks included

}  // namespace cloudai::config
