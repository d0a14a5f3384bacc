// The keys of an entry [[Tests]]: the common ones, and those that a scheduler has for a case (its manifest's
// case_schema).
#pragma once

#include "core/config/diagnostics.hpp"
#include "core/config/document.hpp"
#include "core/config/schema_check.hpp"
#include "core/module/catalogue.hpp"

namespace cloudai::config {

// With the keys of every installed scheduler, first of all of the given one's (null: not known), so that one of another
// scheduler is none that nobody knows.
Schema case_schema(const module::Provided* scheduler, const module::Catalogue& modules);

// The scheduler's own options in a case that has been checked, complete. A key of another scheduler is an error.
// Without a scheduler there are none.
Json scheduler_options(const Node& test_case, const module::Provided* scheduler, const module::Catalogue& modules,
                       Diagnostics& diagnostics);

}  // namespace cloudai::config
