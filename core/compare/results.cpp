#include "core/compare/results.hpp"

#include <algorithm>
#include <functional>
#include <system_error>

#include "core/compare/outcome_check.hpp"
#include "core/report/results_documents.hpp"
#include "core/support/files.hpp"

namespace cloudai::compare {

namespace fs = std::filesystem;

namespace {

// The member, or null where there is none.
const Json& member_of(const Json& document, const char* key) {
  static const Json none;
  const auto found = document.find(key);
  return found == document.end() ? none : *found;
}

std::string text_in(const Json& document, const char* object, const char* key) {
  return text_of(member_of(document, object), key);
}

std::int64_t integer_of(const Json& document, const char* key) {
  const Json& value = member_of(document, key);
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

// A further iteration of a test that ended with the one it ran beside: nothing is missing without it.
bool is_superfluous(const Json& run) {
  return text_of(run, "status") == "skipped" && text_in(run, "reason", "code") == "dependency_ended" &&
         integer_of(run, "iteration") > 0;
}

// Collects the runs as they are read and lets their documents go: there may be ten thousand.
class RunReader {
 public:
  explicit RunReader(std::vector<Case>& cases) : cases_(&cases) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& value) {
    if (event == Json::parse_event_t::key && depth == 1) in_runs_ = value == "runs";
    if (event != Json::parse_event_t::object_end || depth != 2 || !in_runs_) return true;
    add(value);
    return false;
  }

 private:
  void add(const Json& run) {
    if (is_superfluous(run)) return;
    CaseKey key{text_of(run, "case"), integer_of(run, "step")};
    const auto [place, is_new] = places_.try_emplace(key, cases_->size());
    if (is_new) cases_->push_back({std::move(key), text_of(run, "test"), {}});
    (*cases_)[place->second].runs.push_back(
        {text_of(run, "id"), text_of(run, "status"), text_in(run, "reason", "text"), text_of(run, "outcome")});
  }

  std::vector<Case>* cases_;
  std::map<CaseKey, std::size_t> places_;
  bool in_runs_ = false;
};

// Tables, plots and facts are most of an outcome.json, and are not compared.
bool is_compared(int depth, Json::parse_event_t event, const Json& value) {
  constexpr int member_of_outcome = 4;  // {"stages": [{"outcome": {…}}]}
  if (event != Json::parse_event_t::key || depth != member_of_outcome) return true;
  return value != "tables" && value != "plots" && value != "facts";
}

// `relative` below `directory`; an error where it leaves it, be it through a symbolic link.
Result<fs::path> path_inside(const fs::path& directory, const std::string& relative) {
  if (files::leads_inside(directory, relative)) return directory / relative;
  return trouble("the path '" + relative + "' leaves the results directory '" + directory.string() + "'.");
}

std::string text_of_key(const MetricKey& key) {
  std::string text = key.stage + '\0' + key.name;
  for (const auto& [name, value] : key.labels) text += '\0' + name + '\0' + value;
  return text;
}

Better better_of(const std::string& word) {
  const auto found = std::find(better_names.begin(), better_names.end(), word);
  return found == better_names.end() ? Better::none : static_cast<Better>(found - better_names.begin());
}

// Two hooks may run the same test; their directories differ.
std::string stage_of(const Json& stage) {
  std::string kind = text_of(stage, "kind");
  if (kind == "main") return kind;
  const std::string directory = fs::path(text_of(stage, "directory")).filename().string();
  return kind + "/" + (directory.empty() ? text_of(stage, "name") : directory);
}

void add_metric(const std::string& stage, const Json& metric, bool passed, Measurements& measurements) {
  MetricKey key{stage, text_of(metric, "name"), {}};
  for (const auto& [name, label] : member_of(metric, "labels").items()) key.labels[name] = label.get<std::string>();
  const std::string unit = text_of(metric, "unit");
  const Better better = better_of(text_of(metric, "better"));
  const bool headline = member_of(metric, "headline") == true;
  const auto [place, is_new] = measurements.places.try_emplace(text_of_key(key), measurements.metrics.size());
  if (is_new) measurements.metrics.push_back({std::move(key), {unit, better, headline, 0, {}, {}, {}}});
  Samples& samples = measurements.metrics[place->second].samples;
  if (const Json& resolution = member_of(metric, "resolution"); !resolution.is_null()) {
    samples.resolution = std::max(samples.resolution, resolution.get<double>());
  }
  if (samples.unit != unit) samples.conflict = "in " + samples.unit + " and in " + unit;
  if (samples.better != better) samples.conflict = "better in two directions";
  (passed ? samples.of_passed : samples.of_others).push_back(member_of(metric, "value").get<double>());
}

void add_run(const fs::path& directory, const Run& run, Measurements& measurements) {
  if (run.outcome.empty()) {
    if (run.status == "passed") {
      measurements.problems.push_back("'" + (directory / "summary.json").string() + "' is damaged: run '" + run.id +
                                      "' passed and has no \"outcome\".");
    }
    return;
  }
  const auto path = path_inside(directory, run.outcome);
  if (!path) return measurements.problems.push_back(run.id + ": " + path.error().message);
  const auto document = report::read_results_document(*path, "cloudai.run_outcome/1", is_compared);
  if (!document) return measurements.problems.push_back(document.error().message);
  if (const std::string flaw = flaw_of_outcome(*document, run); !flaw.empty()) {
    return measurements.problems.push_back("'" + path->string() + "' is damaged: " + flaw + ".");
  }
  for (const Json& stage : member_of(*document, "stages")) {
    for (const Json& metric : member_of(member_of(stage, "outcome"), "metrics")) {
      add_metric(stage_of(stage), metric, run.status == "passed", measurements);
    }
  }
}

}  // namespace

std::string results_name(std::size_t index) {
  const std::string letter(1, static_cast<char>('A' + index % 26));
  return index < 26 ? letter : results_name(index / 26 - 1) + letter;
}

Result<Results> open_results(const fs::path& directory, std::string name) {
  if (auto checked = report::check_results_directory(directory, ""); !checked) {
    return tl::make_unexpected(checked.error());
  }
  Results results;
  results.name = std::move(name);
  RunReader runs(results.cases);
  const auto summary = report::read_results_document(directory / "summary.json", "cloudai.summary/1", std::ref(runs));
  // The directory is what the user named; no scheduler, module or machine is to blame.
  if (!summary) return usage_error(summary.error().message, summary.error().hint);
  results.directory = fs::absolute(directory).lexically_normal();
  if (!results.directory.has_filename()) results.directory = results.directory.parent_path();
  results.scenario = text_in(*summary, "scenario", "name");
  results.system = text_in(*summary, "system", "name");
  results.started = text_of(*summary, "started");
  results.status = text_of(*summary, "status");
  return results;
}

const Samples* Measurements::find(const MetricKey& key) const {
  const auto place = places.find(text_of_key(key));
  return place == places.end() ? nullptr : &metrics[place->second].samples;
}

Measurements read_measurements(const fs::path& results_directory, const Case& test_case) {
  Measurements measurements;
  for (const Run& run : test_case.runs) add_run(results_directory, run, measurements);
  return measurements;
}

}  // namespace cloudai::compare
