#include "core/report/earlier_results.hpp"

#include <functional>
#include <system_error>

#include "core/report/results_documents.hpp"
#include "core/run/evaluation.hpp"
#include "core/support/files.hpp"

namespace cloudai::report {

namespace fs = std::filesystem;
using run::Status;

namespace {

Json reports_of(const Json& inputs, const char* part) {
  const Json owner = inputs.value(part, Json());
  const auto found = owner.find("reports");
  return found != owner.end() && found->is_object() ? *found : Json::object();
}

// As it stands in messages and lists of files, however it was given.
fs::path normal(const fs::path& directory) {
  std::error_code error;
  const fs::path whole = fs::absolute(directory, error);
  const fs::path path = (error ? directory : whole).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

// Whether a workload must have said something of the run. One that failed before its first stage began may have none.
bool needs_outcome(const Json& run, Status status) {
  if (status == Status::passed || status == Status::inconclusive) return true;
  if (status != Status::failed) return false;
  for (const Json& stage : run.value("stages", Json::array())) {
    if (text_of(stage, "status") != "skipped") return true;
  }
  return false;
}

std::string damaged(const fs::path& path, const std::string& how) {
  return "'" + path.string() + "' is damaged: " + how + ".";
}

// What is wrong with the outcome.json of a run; empty if nothing is.
std::string problem_of_outcome(const fs::path& results_directory, const Json& run) {
  const std::string outcome = text_of(run, "outcome");
  if (outcome.empty()) return "";
  const fs::path path = results_directory / outcome;
  const auto document = read_results_document(path, "cloudai.run_outcome/1", 1);
  if (!document) return document.error().message;
  if (const std::string id = text_of(*document, "id"); id != text_of(run, "id")) {
    return damaged(path, "its \"id\" is '" + id + "', so it is of another run");
  }
  return document->value("stages", Json()).is_array() ? "" : damaged(path, "it has no list \"stages\"");
}

// Sees the runs as the summary is read, and lets their documents go: there may be ten thousand.
class RunReader {
 public:
  RunReader(const fs::path& results_directory, Problems& problems)
      : results_directory_(results_directory), check_(results_directory), problems_(&problems) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& value) {
    using Event = Json::parse_event_t;
    if (event == Event::key && depth == 1) is_in_runs_ = value == "runs";
    const bool is_whole = event == Event::object_end || event == Event::array_end || event == Event::value;
    if (depth != 2 || !is_in_runs_ || !is_whole) return true;
    see(value);
    return false;
  }

  void add(std::string problem) {
    constexpr std::size_t most = 20;
    if (problem.empty()) return;
    if (++problems_->count <= most) problems_->first.push_back(std::move(problem));
  }

 private:
  void see(const Json& run) {
    if (const auto wrong = check_(run)) return add(damaged(results_directory_ / "summary.json", *wrong));
    add(problem_of_outcome(results_directory_, run));
  }

  fs::path results_directory_;
  RunCheck check_;
  Problems* problems_;
  bool is_in_runs_ = false;
};

}  // namespace

std::optional<Status> status_named(const std::string& text) {
  for (const Status status :
       {Status::passed, Status::failed, Status::error, Status::inconclusive, Status::skipped, Status::cancelled}) {
    if (text == to_string(status)) return status;
  }
  return std::nullopt;
}

std::optional<std::string> RunCheck::operator()(const Json& run) {
  const std::string number = "run " + std::to_string(++count_);
  if (!run.is_object()) return number + " is no object";
  const std::string id = text_of(run, "id");
  if (id.empty()) return number + " has no id";
  const std::string name = "run '" + id + "'";
  if (!ids_.insert(id).second) return "there are two of " + name;
  if (!files::leads_inside(results_directory_, id)) return "the directory of " + name + " leaves the results directory";
  if (const std::string directory = text_of(run, "directory"); directory != id) {
    return name + " has the directory '" + directory + "', which is another";
  }
  const std::string word = text_of(run, "status");
  const auto status = status_named(word);
  if (!status) return name + " has the status '" + word + "', which there is not";
  if (!run.contains("outcome")) {
    return needs_outcome(run, *status) ? std::optional(name + " is " + word + ", but has no outcome") : std::nullopt;
  }
  const std::string outcome = id + "/outcome.json";
  if (text_of(run, "outcome") != outcome) return "the outcome of " + name + " is not '" + outcome + "'";
  return std::nullopt;
}

Problems problems_of_runs(const fs::path& results_directory) {
  const fs::path file = results_directory / "summary.json";
  Problems problems;
  RunReader runs(results_directory, problems);
  const auto summary = read_results_document(file, "cloudai.summary/1", std::ref(runs));
  if (!summary) {
    runs.add(summary.error().message);
  } else if (const auto list = summary->find("runs"); list == summary->end() || !list->is_array()) {
    problems = {{damaged(file, "it has no list \"runs\"")}, 1};
  }
  return problems;
}

Result<EarlierResults> open_earlier_results(const fs::path& given) {
  if (auto checked = check_results_directory(given, "--result-dir: "); !checked) {
    return tl::make_unexpected(checked.error());
  }
  const fs::path directory = normal(given);
  const auto summary = read_results_document(directory / "summary.json", "cloudai.summary/1", 1);
  if (!summary) return tl::make_unexpected(summary.error());
  const auto inputs = read_results_document(directory / "inputs.json", "cloudai.inputs/1", 64);
  if (!inputs) return tl::make_unexpected(inputs.error());
  return EarlierResults{directory, reports_of(*inputs, "system"), reports_of(*inputs, "scenario")};
}

}  // namespace cloudai::report
