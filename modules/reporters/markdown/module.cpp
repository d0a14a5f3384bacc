// The reporter "markdown".
#include "cloudai/module.hpp"
#include "modules/reporters/markdown/markdown_report.hpp"
#include "modules/reporters/results/request.hpp"

namespace {

class MarkdownReporter : public cloudai::Reporter {
 public:
  cloudai::ReportFiles write(const cloudai::ReportRequest& request) const override {
    return {cloudai::markdown::write_report(cloudai::results::only_results(request), request.directory)};
  }
};

}  // namespace

CLOUDAI_EXPORT_MODULE(cloudai::reporter<MarkdownReporter>("markdown"));
