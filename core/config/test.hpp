// A test, from a file of its own or from a scenario.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/model.hpp"
#include "core/config/workloads.hpp"

namespace cloudai::config {

// The common keys of a test file, coerced and checked. Those at fault are left out, with an error each.
Node read_test_keys(const Node& root, Diagnostics& diagnostics);

// The test that `node` describes; its keys have been through read_test_keys or are as good. Its options are coerced,
// checked against the workload's schema and completed. Nothing if and only if there is an error.
std::optional<Test> read_test(const Node& node, Workloads& workloads, Diagnostics& diagnostics);

// The ordered name-value pairs of a table of scalars; each name is checked as that of an environment variable.
std::vector<EnvironmentVariable> read_environment(const Node& table, Diagnostics& diagnostics);

// The names in the list `key` of `table`, each checked as that of an environment variable that `values` does not set.
std::vector<std::string> read_pass_env(const Node& table, const std::vector<EnvironmentVariable>& values,
                                       std::string_view key_of_values, Diagnostics& diagnostics);

// The text of a member; empty if it is absent.
std::string text_of(const Node& table, std::string_view key);

}  // namespace cloudai::config
