// Which of the options a user gave are secrets.
#pragma once

#include <string>
#include <vector>

#include "core/support/json.hpp"

namespace cloudai::config {

// JSON pointers to the members of `options` that `schema` marks "writeOnly", and to texts whose name tells of a secret.
std::vector<std::string> secret_options(const Json& options, const Json& schema);

// `options` with each of these in place of a secret. A pointer that leads nowhere changes nothing.
Json without_secrets(Json options, const std::vector<std::string>& pointers);

// The texts the pointers lead to.
std::vector<std::string> secret_texts(const Json& options, const std::vector<std::string>& pointers);

}  // namespace cloudai::config
