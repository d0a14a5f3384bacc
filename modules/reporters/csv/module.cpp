// The reporter "csv".
#include "cloudai/module.hpp"
#include "modules/reporters/csv/csv_report.hpp"
#include "modules/reporters/results/request.hpp"

namespace {

class CsvReporter : public cloudai::Reporter {
 public:
  cloudai::ReportFiles write(const cloudai::ReportRequest& request) const override {
    const auto& results = cloudai::results::only_results(request);
    const auto warn = [](const std::string& message) { cloudai::host().log_warning(message); };
    return {cloudai::csv::write_report(results, request.directory, warn)};
  }
};

}  // namespace

CLOUDAI_EXPORT_MODULE(cloudai::reporter<CsvReporter>("csv"));
