#include "modules/reporters/results/summary.hpp"

#include <utility>

#include "modules/reporters/results/json_file.hpp"

namespace cloudai::results {

namespace {

std::string text(const Value& in, const char* key) {
  return in.get_or<std::string>(key, {});
}

// A member that is an object, or an empty one.
Json object(const Value& in, const char* key) {
  Json found = in.get_or<Json>(key, Json::object());
  return found.is_object() ? std::move(found) : Json::object();
}

// An empty reason says as much as none.
std::optional<Reason> reason(const Value& in) {
  const Json found = object(in, "reason");
  if (found.empty()) return std::nullopt;
  const Value value(found, in, "reason");
  Reason result;
  result.code = text(value, "code");
  result.text = text(value, "text");
  result.hint = text(value, "hint");
  result.evidence = value.get_or<std::vector<Evidence>>("evidence", {});
  return result;
}

}  // namespace

bool is_of_stage(const HeadlineMetric& headline, const StageSummary& stage) {
  return headline.stage == stage.kind + "/" + stage.name;
}

bool is_of_main(const HeadlineMetric& headline) {
  return headline.stage.rfind("main/", 0) == 0;
}

void read(const Value& in, ModuleUsed& out) {
  out = {text(in, "id"), text(in, "version"), text(in, "path"), text(in, "sha256")};
}

void read(const Value& in, FileRead& out) {
  out = {text(in, "path"), text(in, "sha256")};
}

void read(const Value& in, HeadlineMetric& out) {
  read(in, out.metric);
  out.stage = text(in, "stage");
}

void read(const Value& in, Attempt& out) {
  out = {text(in, "directory"), text(in, "status"), text(in, "job"), in.find<double>("seconds")};
}

void read(const Value& in, StageSummary& out) {
  out.kind = in.get<std::string>("kind");
  out.name = in.get<std::string>("name");
  out.directory = text(in, "directory");
  out.status = in.get<std::string>("status");
  out.reason = reason(in);
  out.started = text(in, "started");
  out.ended = text(in, "ended");
  out.seconds = in.find<double>("seconds");
  out.time_limit = in.find<double>("time_limit");
  out.exit_status = in.find<std::int64_t>("exit_status");
  out.signal = in.find<std::int64_t>("signal");
  out.standard_output = text(in, "stdout");
  out.standard_error = text(in, "stderr");
}

namespace {

void read_nodes(const Value& in, RunSummary& out) {
  const Json nodes = object(in, "nodes");
  const Value value(nodes, in, "nodes");
  const Json requested = object(value, "requested");
  out.nodes_requested = Value(requested, value, "requested").find<std::int64_t>("count");
  for (const Json& node : value.get_or<std::vector<Json>>("actual", {})) {
    const Value each(node, value, "actual");
    out.nodes.push_back(each.get<std::string>("name"));
    auto facts = each.get_or<std::map<std::string, std::string>>("facts", {});
    if (!facts.empty()) out.node_facts[out.nodes.back()] = std::move(facts);
  }
}

void read_dependencies(const Value& in, RunSummary& out) {
  for (const Json& dependency : in.get_or<std::vector<Json>>("dependencies", {})) {
    const Value value(dependency, in, "dependencies");
    out.dependencies.push_back(text(value, "type") + " " + text(value, "case"));
  }
}

}  // namespace

void read(const Value& in, RunSummary& out) {
  out.id = in.get<std::string>("id");
  out.test_case = text(in, "case");
  out.iteration = in.get_or<std::int64_t>("iteration", 0);
  out.step = in.get_or<std::int64_t>("step", 0);
  out.test = text(in, "test");
  out.workload = text(in, "workload");
  out.description = text(in, "description");
  read_dependencies(in, out);
  out.directory = text(in, "directory");
  out.status = in.get<std::string>("status");
  out.reason = reason(in);
  out.job = text(in, "job");
  read_nodes(in, out);
  out.started = text(in, "started");
  out.ended = text(in, "ended");
  out.seconds = in.find<double>("seconds");
  out.hook_share = in.find<double>("hook_share");
  out.outcome = text(in, "outcome");
  out.headline = in.get_or<std::vector<HeadlineMetric>>("headline", {});
  out.attempts = in.get_or<std::vector<Attempt>>("attempts", {});
  out.stages = in.get_or<std::vector<StageSummary>>("stages", {});
}

void read(const Value& in, Header& out) {
  in.require_schema("cloudai.summary/1");
  const Json cloudai = object(in, "cloudai");
  const Value program(cloudai, in, "cloudai");
  out.cloudai_version = text(program, "version");
  out.arguments = program.get_or<std::vector<std::string>>("arguments", {});
  out.user = text(program, "user");
  out.host = text(program, "host");

  const Json scenario = in.get<Json>("scenario");
  const Value scenario_value(scenario, in, "scenario");
  out.scenario = scenario_value.get<std::string>("name");
  out.scenario_file = text(scenario_value, "file");

  const Json system = object(in, "system");
  const Value system_value(system, in, "system");
  out.system = text(system_value, "name");
  out.scheduler = text(system_value, "scheduler");
  out.system_file = text(system_value, "file");

  out.files = in.get_or<std::vector<FileRead>>("files", {});
  out.modules = in.get_or<std::vector<ModuleUsed>>("modules", {});
  out.started = text(in, "started");
  out.ended = text(in, "ended");
  out.seconds = in.find<double>("seconds");
  out.status = in.get<std::string>("status");

  const Json reevaluated = object(in, "reevaluated");
  out.reevaluated = text(Value(reevaluated, in, "reevaluated"), "time");
}

namespace {

// Hands each element of the top-level array "runs" over as soon as it is complete and then drops it, so that the
// document in memory holds everything but the runs.
class RunStream {
 public:
  RunStream(const std::filesystem::path& file, const std::function<void(const RunSummary&, std::size_t)>& visit)
      : file_(&file), visit_(&visit) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& value) {
    if (event == Json::parse_event_t::key && depth == 1) in_runs_ = value == "runs";
    if (event != Json::parse_event_t::object_end || depth != 2 || !in_runs_) return true;
    RunSummary run;
    const Value document(document_);
    const Value runs(document_, document, "runs");
    read_document(*file_, Value(value, runs, std::to_string(index_)), run);
    (*visit_)(run, index_++);
    return false;
  }

 private:
  const std::filesystem::path* file_;
  const std::function<void(const RunSummary&, std::size_t)>* visit_;
  const Json document_;
  std::size_t index_ = 0;
  bool in_runs_ = false;
};

}  // namespace

Header read_summary(const std::filesystem::path& results_directory,
                    const std::function<void(const RunSummary&, std::size_t)>& visit) {
  const std::filesystem::path file = results_directory / "summary.json";
  RunStream runs(file, visit);
  const Json document = read_json_file(file, std::ref(runs));
  Header header;
  read_document(file, Value(document), header);
  return header;
}

}  // namespace cloudai::results
