// A scenario in which everything happens that a report has to show: for pictures, and for tests in a browser.
#pragma once

#include <filesystem>

#include "cloudai/documents/outcome.hpp"

namespace cloudai::samples {

// What NcclTest says of a run: its table of `rows` sizes from 8 bytes, its plots and facts. `wobble` tells the runs of
// one test apart.
Outcome nccl_outcome(const std::string& collective, int rows, double peak, double wobble);

// Iterations of one test, a test with wrong values, one below its minimum, one whose prologue failed, and one that was
// skipped; lines across, evidence in logs, and nodes that differ.
void write_showcase(const std::filesystem::path& directory);

}  // namespace cloudai::samples
