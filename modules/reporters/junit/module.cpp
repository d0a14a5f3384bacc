// The reporter "junit".
#include "cloudai/module.hpp"
#include "modules/reporters/junit/junit_report.hpp"
#include "modules/reporters/results/request.hpp"

namespace {

class JunitReporter : public cloudai::Reporter {
 public:
  cloudai::ReportFiles write(const cloudai::ReportRequest& request) const override {
    return {cloudai::junit::write_report(cloudai::results::only_results(request), request.directory)};
  }
};

}  // namespace

CLOUDAI_EXPORT_MODULE(cloudai::reporter<JunitReporter>("junit"));
