// What the parsed output is worth to reports: metrics, the table, plots and facts.
#pragma once

#include <string>

#include "cloudai/documents/outcome.hpp"
#include "modules/workloads/nccl_test/output_parser.hpp"

namespace cloudai::nccl_test {

// Adds the table, its plots and the facts: what was seen, whatever the verdict.
void add_observations(const Output& output, const std::string& collective, Outcome& outcome);

// Adds the metrics. A run of one rank moves nothing between ranks and gets no bus bandwidth; a fact says so.
void add_metrics(const Output& output, const std::string& collective, Outcome& outcome);

// The machines in the list of devices.
std::size_t host_count(const Output& output);

}  // namespace cloudai::nccl_test
