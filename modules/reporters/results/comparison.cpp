#include "modules/reporters/results/comparison.hpp"

#include <algorithm>
#include <utility>

#include "modules/reporters/results/json_file.hpp"

namespace cloudai::results {

namespace {

std::string text(const Value& in, const char* key) {
  return in.get_or<std::string>(key, {});
}

Change worst_of(const std::map<std::string, MetricChange>& changes) {
  Change worst = Change::same;
  for (const auto& [name, change] : changes) worst = std::min(worst, change.verdict);
  return worst;
}

}  // namespace

Change ComparedMetric::worst() const {
  return worst_of(changes);
}

Change ComparedCase::worst_status() const {
  return worst_of(changes);
}

std::string ComparedCase::name() const {
  return step == 0 ? id : id + " step " + std::to_string(step);
}

// Found by the documents' readers through the namespace of the type, hence not in an unnamed one.
void read(const Value& in, ComparedResults& out);
void read(const Value& in, RunThatDidNotPass& out);
void read(const Value& in, ComparedSide& out);
void read(const Value& in, ComparedValue& out);
void read(const Value& in, MetricChange& out);
void read(const Value& in, ComparedMetric& out);
void read(const Value& in, ComparedCase& out);
void read(const Value& in, ComparisonHeader& out);

void read(const Value& in, ComparedResults& out) {
  out = {in.get<std::string>("name"), in.get<std::string>("directory"),
         text(in, "scenario"),        text(in, "system"),
         text(in, "started"),         text(in, "status")};
}

void read(const Value& in, RunThatDidNotPass& out) {
  out = {in.get<std::string>("id"), in.get<std::string>("status"), text(in, "reason")};
}

void read(const Value& in, ComparedSide& out) {
  out.test = in.get<std::string>("test");
  out.statuses = in.get<std::map<std::string, std::int64_t>>("statuses");
  out.not_passed = in.get_or<std::vector<RunThatDidNotPass>>("not_passed", {});
}

void read(const Value& in, ComparedValue& out) {
  out.median = in.get<double>("median");
  out.unit = in.get<std::string>("unit");
  out.count = in.get<std::int64_t>("count");
  out.low = in.find<double>("low");
  out.high = in.find<double>("high");
  out.passed = in.get<bool>("passed");
}

void read(const Value& in, MetricChange& out) {
  out.verdict = in.get<Change>("verdict");
  out.percent = in.find<double>("percent");
  out.note = text(in, "note");
}

void read(const Value& in, ComparedMetric& out) {
  out.name = in.get<std::string>("name");
  out.stage = in.get<std::string>("stage");
  out.labels = in.get<std::map<std::string, std::string>>("labels");
  out.better = in.get<Better>("better");
  out.values = in.get<std::map<std::string, ComparedValue>>("values");
  out.changes = in.get<std::map<std::string, MetricChange>>("changes");
}

void read(const Value& in, ComparedCase& out) {
  out.id = in.get<std::string>("case");
  out.step = in.get<std::int64_t>("step");
  out.results = in.get<std::map<std::string, ComparedSide>>("results");
  out.changes = in.get<std::map<std::string, MetricChange>>("changes");
  out.metrics = in.get<std::vector<ComparedMetric>>("metrics");
}

void read(const Value& in, ComparisonHeader& out) {
  in.require_schema("cloudai.comparison/1");
  const Json tolerance = in.get<Json>("tolerance");
  const Value tolerance_value(tolerance, in, "tolerance");
  out.tolerance = tolerance_value.get<double>("percent");
  out.metric_tolerances = tolerance_value.get_or<std::map<std::string, double>>("metrics", {});
  out.results = in.get<std::vector<ComparedResults>>("results");
  const Json counts = in.get<Json>("counts");
  const Value counts_value(counts, in, "counts");
  out.case_counts = counts_value.get<std::map<std::string, std::int64_t>>("cases");
  out.metric_counts = counts_value.get<std::map<std::string, std::int64_t>>("metrics");
  out.verdict = in.get<std::string>("verdict");
}

ComparisonHeader read_comparison(const std::filesystem::path& file,
                                 const std::function<void(const ComparedCase&)>& visit) {
  // Hands each element of "cases" over as soon as it is complete and then drops it.
  bool in_cases = false;
  std::size_t index = 0;
  const Json nothing;
  const auto filter = [&](int depth, Json::parse_event_t event, const Json& value) {
    if (event == Json::parse_event_t::key && depth == 1) in_cases = value == "cases";
    if (event != Json::parse_event_t::object_end || depth != 2 || !in_cases) return true;
    ComparedCase compared;
    const Value document(nothing);
    const Value cases(nothing, document, "cases");
    read_document(file, Value(value, cases, std::to_string(index++)), compared);
    visit(compared);
    return false;
  };
  const Json document = read_json_file(file, filter);
  ComparisonHeader header;
  read_document(file, Value(document), header);
  return header;
}

}  // namespace cloudai::results
