// Whether what ran is what was planned: the program, the ranks and the sizes.
#pragma once

#include "cloudai/documents/workload.hpp"
#include "modules/workloads/nccl_test/findings.hpp"
#include "modules/workloads/nccl_test/output.hpp"
#include "modules/workloads/nccl_test/request.hpp"

namespace cloudai::nccl_test {

// What the stage's command line asks for; nothing unless it is one command.
std::optional<Request> request_of(const StageRequest& stage);

// Another collective, data type or reduction operation than asked for: another program, or one that did not understand.
Finding other_benchmark(const Request& request, const Output& output);

// Bandwidths that the collective does not have between so many ranks, or that nothing has.
Finding other_bandwidth(const StageRequest& stage, const Request& request, const Output& output);

// The program says which sizes it measures: other ones than asked for.
Finding other_sweep(const Request& request, const Output& output);

// Types, operations or roots that were asked for and are not in the table.
Finding missing_kinds(const StageRequest& stage, const Request& request, const Output& output);

Finding missing_ranks(const StageRequest& stage, const Output& output);

// A size that was asked for and is not in the table.
Finding missing_size(const StageRequest& stage, const Request& request, const Output& output);

// "4 of the 32 asked for": for a table that shows a choice of the sizes and no average but theirs; else empty.
std::string chosen_sizes(const Request& request, const Output& output);

// By less than how many bytes a measured size may be under the one asked for, in this stage.
std::optional<std::int64_t> rounding(const StageRequest& stage, const Request& request, const Output& output);

}  // namespace cloudai::nccl_test
