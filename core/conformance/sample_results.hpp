// A results directory as a run leaves it behind, for a reporter to read.
#pragma once

#include <cstddef>
#include <filesystem>

namespace cloudai::conformance {

// Writes summary.json, inputs.json and, for each of `runs` runs, its outcome.json and output below `directory`. Every
// seventh run has failed. False if it cannot be written.
bool write_sample_results(const std::filesystem::path& directory, std::size_t runs);

}  // namespace cloudai::conformance
