// The reporter "plain": one line for each run.
#include <filesystem>
#include <fstream>

#include "cloudai/module.hpp"

namespace {

using cloudai::Json;
using cloudai::Value;

// summary.json of a results directory; its form is in the SDK's schemas/summary.schema.json.
Json read_summary(const std::string& directory) {
  const std::string path = directory + "/summary.json";
  std::ifstream file(path);
  Json summary = Json::parse(file, nullptr, false);
  if (summary.is_discarded()) {
    throw cloudai::Error(cloudai::Status::failed, "'" + path + "' is missing or damaged.");
  }
  return summary;
}

class Plain : public cloudai::Reporter {
 public:
  cloudai::ReportFiles write(const cloudai::ReportRequest& request) const override {
    if (request.kind != "scenario") {
      throw cloudai::Error(cloudai::Status::unsupported, "This report is one of a scenario, not of a comparison.");
    }
    const std::string name = std::filesystem::path(request.options.get<std::string>("file")).filename().string();
    std::ofstream file(request.directory + "/" + name);
    for (const auto& results : request.results) {
      const Json summary = read_summary(results.directory);
      for (const Json& entry : Value(summary).get<std::vector<Json>>("runs")) {
        const Value run(entry);
        file << run.get<std::string>("id") << ' ' << run.get<std::string>("test") << ' '
             << run.get<std::string>("status") << '\n';
      }
    }
    file.close();
    if (!file) throw cloudai::Error(cloudai::Status::failed, "'" + name + "' cannot be written.");
    return {{name}};
  }
};

}  // namespace

CLOUDAI_EXPORT_MODULE(cloudai::reporter<Plain>("plain"));
