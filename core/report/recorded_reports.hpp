// The tables [reports.<name>] as inputs.json keeps them, so that reports can be written again from the results alone.
#pragma once

#include <filesystem>
#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/model.hpp"
#include "core/module/catalogue.hpp"
#include "core/report/reporters.hpp"
#include "core/support/json.hpp"

namespace cloudai::report {

// {"csv": {"enable": true, …}}: the entries as a user would write them, complete, secrets (by name) redacted.
Json record_of(const std::vector<config::Report>& reports);

struct RecordedReports {
  std::vector<config::Report> reports;
  std::vector<FailedReport> failed;
};

// The inverse: `record` stands in the file at `inputs`. An entry that is switched on and cannot be used any more has
// failed: its module is not there, takes other options by now, or wants a secret.
RecordedReports recorded_reports(const Json& record, const std::filesystem::path& inputs,
                                 const module::Catalogue& modules);

}  // namespace cloudai::report
