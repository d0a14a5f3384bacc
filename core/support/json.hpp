// The one JSON type of the core: keeps the order of keys.
#pragma once

#include <nlohmann/json.hpp>

namespace cloudai {

using Json = nlohmann::ordered_json;

}  // namespace cloudai
