// The options of a module as a table for people.
#pragma once

#include <string>
#include <string_view>

#include "core/app/output.hpp"

namespace cloudai::app {

// A row for each option that `schema` has, those of a table as table.option; empty if there is none. `heading` is that
// of the first column. Units and what may be swept have a column where there is something to say.
std::string option_table(const Json& schema, std::string_view heading, bool of_workload);

// The elements of a list, texts without quotes.
std::string joined(const Json& values, std::string_view separator);

}  // namespace cloudai::app
