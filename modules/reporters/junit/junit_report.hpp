// The JUnit file of one results directory, <scenario>-junit.xml: one test suite with one test case a run.
//
// A run that failed or was inconclusive has a <failure>, one in error or cancelled an <error>, one skipped <skipped>;
// the type is the reason's code. What JUnit has no word for (inconclusive, cancelled) stands before the message.
// Attempts before the last are told as Maven Surefire tells reruns: <flakyFailure> or <flakyError> where the last one
// passed, else <rerunFailure> or <rerunError>. Stages, nodes and headline metrics stand in <system-out>. Characters
// that XML has no place for are replaced by visible ones.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cloudai::junit {

// Writes the report of the results in `results` into `directory` and returns its path relative to it. Throws
// Error(failed) where summary.json is missing or broken, or the file cannot be written.
std::vector<std::string> write_report(const std::filesystem::path& results, const std::filesystem::path& directory);

}  // namespace cloudai::junit
