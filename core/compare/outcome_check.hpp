// Whether an outcome.json that is JSON is what a run writes.
#pragma once

#include <string>

#include "core/compare/results.hpp"
#include "core/support/json.hpp"

namespace cloudai::compare {

// The first thing in a cloudai.run_outcome/1 that cannot be of this run, as half a sentence: "metric 3 of stage 1 has
// no number \"value\""; empty where there is none. Tables, plots and facts are not looked at.
std::string flaw_of_outcome(const Json& document, const Run& run);

}  // namespace cloudai::compare
