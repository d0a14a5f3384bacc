// What the rows are worth to reports: tables, plots and metrics.
#pragma once

#include <string>

#include "cloudai/documents/outcome.hpp"
#include "modules/workloads/nccl_test/output.hpp"

namespace cloudai::nccl_test {

// The title of the plot that limits of bandwidth belong on.
constexpr const char* bandwidth_plot = "Bus bandwidth";

// Whether one rank ran by itself. It moves nothing between ranks.
bool is_alone(const Output& output);

// Adds what was seen, whatever the verdict: the table, where a size has several rows a second one with least, mean and
// most of them, and the plots.
void add_tables(const Output& output, Outcome& outcome);

// Adds the metrics: for each size and placement time, algorithm and bus bandwidth, the means where the sweep was run in
// cycles. Where rows of one size differ in type, operation or root, these are labels too. The headline is the bus
// bandwidth at the largest size, where it has levelled off, and the time of the smallest message, if that is small
// enough to be a latency. One rank gets no bus bandwidth; a fact says so.
void add_metrics(const Output& output, const std::string& collective, Outcome& outcome);

}  // namespace cloudai::nccl_test
