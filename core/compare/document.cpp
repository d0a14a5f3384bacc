#include "core/compare/document.hpp"

#include "core/support/json.hpp"

namespace cloudai::compare {

namespace {

// Names and paths need not be UTF-8; a document must.
std::string dump(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json results_document(const Results& results) {
  Json document = {{"name", results.name}, {"directory", results.directory.string()}};
  const auto put = [&](const char* key, const std::string& text) {
    if (!text.empty()) document[key] = text;
  };
  put("scenario", results.scenario);
  put("system", results.system);
  put("started", results.started);
  put("status", results.status);
  return document;
}

Json side_document(const CaseSide& side) {
  Json document = {{"test", side.test}, {"runs", side.runs}, {"statuses", side.statuses}};
  for (const Run& run : side.not_passed) {
    Json entry = {{"id", run.id}, {"status", run.status}};
    if (!run.reason.empty()) entry["reason"] = run.reason;
    document["not_passed"].push_back(std::move(entry));
  }
  return document;
}

Json value_document(const Statistics& value, const std::string& unit) {
  Json document = {{"median", value.median}, {"unit", unit}, {"count", value.count}};
  if (value.count > 1) {
    document["low"] = value.low;
    document["high"] = value.high;
  }
  document["passed"] = value.passed;
  return document;
}

Json change_document(const Change& change) {
  Json document = {{"verdict", to_string(change.verdict)}};
  if (change.difference) document["difference"] = *change.difference;
  if (change.percent) document["percent"] = *change.percent;
  if (!change.note.empty()) document["note"] = change.note;
  return document;
}

Json metric_document(const MetricComparison& metric, const std::vector<Results>& results) {
  Json document = {{"name", metric.key.name},
                   {"stage", metric.key.stage},
                   {"labels", metric.key.labels},
                   {"better", better_names[static_cast<std::size_t>(metric.better)]}};
  if (metric.headline) document["headline"] = true;
  document["values"] = Json::object();
  document["changes"] = Json::object();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (metric.values[i]) document["values"][results[i].name] = value_document(*metric.values[i], metric.units[i]);
    if (metric.changes[i]) document["changes"][results[i].name] = change_document(*metric.changes[i]);
  }
  return document;
}

Json case_document(const CaseComparison& comparison, const std::vector<Results>& results) {
  Json document = {{"case", comparison.key.id}, {"step", comparison.key.step}};
  document["results"] = Json::object();
  document["changes"] = Json::object();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (comparison.sides[i]) document["results"][results[i].name] = side_document(*comparison.sides[i]);
    if (comparison.status_changes[i]) {
      document["changes"][results[i].name] = {{"verdict", to_string(*comparison.status_changes[i])}};
    }
  }
  document["metrics"] = Json::array();
  for (const MetricComparison& metric : comparison.metrics) {
    document["metrics"].push_back(metric_document(metric, results));
  }
  return document;
}

Json tally_document(const Tally& tally) {
  Json document = Json::object();
  for (std::size_t i = 0; i < tally.size(); ++i) {
    if (tally[i] > 0) document[std::string(verdict_names[i])] = tally[i];
  }
  return document;
}

}  // namespace

DocumentWriter::DocumentWriter(std::ostream& out, const std::vector<Results>& results, const Tolerance& tolerance)
    : out_(&out), results_(&results) {
  Json list = Json::array();
  for (const Results& each : results) list.push_back(results_document(each));
  Json percent = {{"percent", tolerance.percent}};
  if (!tolerance.of_metric.empty()) percent["metrics"] = tolerance.of_metric;
  *out_ << "{\"schema\":\"cloudai.comparison/1\",\n\"tolerance\":" << dump(percent) << ",\n\"results\":" << dump(list)
        << ",\n\"cases\":[";
}

void DocumentWriter::add(const CaseComparison& comparison) {
  *out_ << (has_cases_ ? ",\n" : "\n") << dump(case_document(comparison, *results_));
  has_cases_ = true;
}

void DocumentWriter::finish(const Totals& totals) {
  const Json counts = {{"cases", tally_document(totals.cases)}, {"metrics", tally_document(totals.metrics)}};
  const char* verdict = totals.has_regression()         ? "regression"
                        : totals.has_compared_nothing() ? "nothing_compared"
                                                        : "no_regression";
  *out_ << "\n],\n\"counts\":" << dump(counts) << ",\n\"verdict\":\"" << verdict << "\"}\n";
}

}  // namespace cloudai::compare
