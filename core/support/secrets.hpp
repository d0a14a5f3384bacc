// Values that must not stand in a file of ours.
#pragma once

#include <string>

namespace cloudai {

// What stands in the place of one.
inline constexpr const char* redacted = "redacted";

// Whether the value of a variable or option of this name is a secret: the name holds TOKEN, KEY, SECRET or PASSWORD, in
// any case.
bool is_secret(std::string name);

}  // namespace cloudai
