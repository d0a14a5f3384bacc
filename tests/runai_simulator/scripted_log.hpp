// The log of a workload whose command is pretended.
#pragma once

#include "tests/runai_simulator/workload.hpp"

namespace runai_simulator {

// As much as there is by then: its lines come evenly while it runs, and all are there once it has completed or failed.
// A workload without a script prints what nccl-tests would.
std::string scripted_log(const Workload& workload, Milliseconds now);

std::string last_lines(const std::string& text, std::size_t count);

}  // namespace runai_simulator
