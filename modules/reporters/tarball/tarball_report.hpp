// What is needed to look into a failure elsewhere, as one file: <name of the results directory>.tgz holds summary.json,
// inputs.json and the directories of the runs that started and did not pass, below a folder of the same name.
//
// Files that only their owner may read are left out, since job scripts with environment values are such; what a stage
// wrote to stdout and stderr, and outcome.json, are in it whatever their mode is. Symbolic links are kept as links
// where they stay inside of the results directory, and left out where not, as is everything that is no regular file.
// left-out.txt in the archive names each of these.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace cloudai::tarball {

// Writes the archive of the results in `results` into `directory` and returns its path relative to it. Where no run
// failed there is no archive, and one of an earlier report is removed. Throws Error(failed) where summary.json is
// missing or broken, or the archive cannot be written, and Error(cancelled) once `is_cancelled`.
std::vector<std::string> write_report(const std::filesystem::path& results, const std::filesystem::path& directory,
                                      const std::function<bool()>& is_cancelled);

}  // namespace cloudai::tarball
