#include "modules/reporters/results/outcome.hpp"

#include "modules/reporters/results/json_file.hpp"
#include "modules/reporters/results/paths.hpp"

namespace cloudai::results {

namespace {

// Drops the members of {"stages": [{"outcome": {…}}]} nobody asked for.
struct PartsFilter {
  OutcomeParts parts;

  bool operator()(int depth, Json::parse_event_t event, const Json& value) const {
    if (event != Json::parse_event_t::key || depth != 4) return true;
    if (value == "metrics") return parts.metrics;
    if (value == "tables" || value == "plots") return parts.tables;
    return true;
  }
};

}  // namespace

// Found by the documents' readers through the namespace of the type, hence not in an unnamed one.
void read(const Value& in, StageOutcome& out);

void read(const Value& in, StageOutcome& out) {
  out.kind = in.get<std::string>("kind");
  out.name = in.get<std::string>("name");
  out.directory = in.get<std::string>("directory");
  out.outcome = in.get<Outcome>("outcome");
}

namespace {

struct RunOutcome {
  std::vector<StageOutcome> stages;
};

void read(const Value& in, RunOutcome& out) {
  in.require_schema("cloudai.run_outcome/1");
  out.stages = in.get<std::vector<StageOutcome>>("stages");
}

}  // namespace

std::vector<StageOutcome> read_outcome(const std::filesystem::path& results_directory, const std::string& path,
                                       OutcomeParts parts) {
  const std::filesystem::path file = path_inside(results_directory, path);
  const Json document = read_json_file(file, PartsFilter{parts});
  RunOutcome result;
  read_document(file, Value(document), result);
  return std::move(result.stages);
}

}  // namespace cloudai::results
