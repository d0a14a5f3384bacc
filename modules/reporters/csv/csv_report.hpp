// The CSV files of one results directory:
//
//   <scenario>.csv             one row a run
//   <scenario>-metrics.csv     one row a metric
//   <scenario>-iterations.csv  one row for each metric of a case with several iterations; only if there is one
//   <stage>/<table's name>.csv every table of every stage, in the stage's directory; .2.csv and so on where the name is
//                              taken by a file that is not of this report. The table "nccl_test" also as
//                              cloudai_nccl_test_csv_report.csv, which users' scripts read
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace cloudai::csv {

// Writes the files of the results in `results` below `directory` and returns their paths relative to it. `warn` is told
// of every run whose outcome.json is missing or broken: it is left out of the metrics and tables. Throws Error(failed)
// where summary.json is missing or broken, or a file cannot be written.
std::vector<std::string> write_report(const std::filesystem::path& results, const std::filesystem::path& directory,
                                      const std::function<void(const std::string&)>& warn);

}  // namespace cloudai::csv
