// The reporter "tarball".
#include "cloudai/module.hpp"
#include "modules/reporters/results/request.hpp"
#include "modules/reporters/tarball/tarball_report.hpp"

namespace {

class TarballReporter : public cloudai::Reporter {
 public:
  cloudai::ReportFiles write(const cloudai::ReportRequest& request) const override {
    const auto is_cancelled = [] { return cloudai::host().is_cancelled(); };
    return {cloudai::tarball::write_report(cloudai::results::only_results(request), request.directory, is_cancelled)};
  }
};

}  // namespace

CLOUDAI_EXPORT_MODULE(cloudai::reporter<TarballReporter>("tarball"));
