// What must not be shown or written down.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cloudai {

// What stands in the place of a secret.
inline constexpr std::string_view redacted = "redacted";

// Whether a variable or option of this name holds a secret: TOKEN, KEY, SECRET or PASSWORD is part of it, in any case.
bool is_secret_name(std::string_view name);

// `text` without the secrets, as they are or quoted for a shell. Those of less than four characters stay: they would be
// found everywhere.
std::string without_secrets(std::string text, std::vector<std::string> secrets);

}  // namespace cloudai
