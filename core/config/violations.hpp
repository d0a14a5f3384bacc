// The sentences for what a value does against its schema.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/document.hpp"
#include "core/support/json.hpp"

namespace cloudai::config {

// What is checked, as the user knows it.
struct Subject {
  std::string noun = "key";  // what its members are called: "key", "option"
  std::string owner;         // whose: "workload NcclTest", "a test file"
  std::string path = {};     // where the value stands in its file ("cmd_args"); empty: at the top
  bool sweepable = false;    // whether a list in place of a scalar is a sweep where "x-sweepable" does not say
};

// What to say of a list that would be a sweep.
inline constexpr std::string_view no_sweeps =
    "Sweeps over a list of values are not supported by this version; give one value.";

struct Violation {
  std::string pointer;  // of the member at fault, as a JSON pointer into the value
  Position position;
  std::string sentence;
};

// A sentence for each violation of `schema` that we have a sentence for; `schema` may name further keywords. The
// keyword "x-unsupported" lists keys that are known and refused.
std::vector<Violation> violations(const Node& value, const Json& schema, const Subject& subject);

// "the string "abc"", "the integer 3", "a list". Without the value where it may be a secret.
std::string describe(const Node& node, std::string_view key, const Json& schema);

}  // namespace cloudai::config
