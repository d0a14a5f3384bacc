// "~" and environment variables in the paths of a configuration file.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/support/result.hpp"

namespace cloudai::config {

// The value of an environment variable; nothing if it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// Answers from the environment of this process.
std::optional<std::string> process_environment(const std::string& name);

// `text` with a leading "~", and $NAME and ${NAME} anywhere, replaced once; then absolute, a relative path taken from
// the working directory. A variable that is unset or empty is an error that names it: a path without it would be
// another one.
Result<std::filesystem::path> expand_path(const std::string& text, const Environment& environment);

}  // namespace cloudai::config
