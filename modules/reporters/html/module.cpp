// The reporter "html".
#include "cloudai/module.hpp"
#include "modules/reporters/html/comparison_page.hpp"
#include "modules/reporters/html/html_report.hpp"
#include "modules/reporters/results/request.hpp"

namespace {

class HtmlReporter : public cloudai::Reporter {
 public:
  cloudai::ReportFiles write(const cloudai::ReportRequest& request) const override {
    if (request.kind == "comparison") return {cloudai::html::write_comparison(request.comparison, request.directory)};
    return {cloudai::html::write_report(cloudai::results::only_results(request), request.directory)};
  }
};

}  // namespace

CLOUDAI_EXPORT_MODULE(cloudai::reporter<HtmlReporter>("html"));
