// Whether the tests of a scenario can be one job (--single-sbatch).
#pragma once

#include <string_view>

#include "core/config/diagnostics.hpp"
#include "core/config/model.hpp"
#include "core/module/catalogue.hpp"

namespace cloudai::config {

// Schedulers with this capability can run all runs of a scenario one after the other in one job.
inline constexpr std::string_view several_runs = "several_runs";

// In one job tests run one after the other, on the same nodes. Complains of those that are to run beside another, of
// those that name other nodes than the test before or ask for more than are named, and of a scheduler that lacks the
// capability `several_runs`.
void check_one_job(const Configuration& configuration, const module::Provided& scheduler, Diagnostics& diagnostics);

}  // namespace cloudai::config
