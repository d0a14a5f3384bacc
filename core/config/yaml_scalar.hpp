// What a plain (unquoted) scalar of YAML means.
#pragma once

#include <string_view>

#include "core/config/document.hpp"

namespace cloudai::config {

// By the core schema of YAML 1.2: `true`, `0x1F`, `-7` and `1e3` have types, and all else is a string, `yes`, `on`,
// `0b1`, `1_000` and `12:30:45` too. An integer that fits no 64 bits becomes a floating-point number that is not
// finite.
Node plain_scalar(std::string_view text, Position position);

}  // namespace cloudai::config
