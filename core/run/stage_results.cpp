#include "core/run/stage_results.hpp"

#include <algorithm>
#include <set>

#include "core/support/json_texts.hpp"

namespace cloudai::run {

namespace {

std::vector<std::string> node_names(const StageJob& stage) {
  std::vector<std::string> names;
  const auto nodes = stage.end.find("nodes");
  if (nodes == stage.end.end() || !nodes->is_array()) return names;
  for (const Json& node : *nodes) {
    if (const std::string name = node.is_object() ? text_of(node, "name") : ""; !name.empty()) names.push_back(name);
  }
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// The main stage, or, where that ran nowhere, the first that did; null if there is none.
const StageJob* placed_stage(const StageJobs& jobs) {
  const StageJob* placed = nullptr;
  for (const StageJob& stage : jobs.stages) {
    if (node_names(stage).empty()) continue;
    if (placed == nullptr || stage.kind == "main") placed = &stage;
  }
  return placed;
}

// A prologue says nothing of nodes it did not run on.
std::optional<std::string> warning_of_nodes(const StageJobs& jobs) {
  const StageJob* placed = placed_stage(jobs);
  if (placed == nullptr) return std::nullopt;
  const auto expected = node_names(*placed);
  const std::set<std::string> known(expected.begin(), expected.end());
  std::string others;
  for (const StageJob& stage : jobs.stages) {
    const auto names = node_names(stage);
    if (std::all_of(names.begin(), names.end(), [&](const std::string& name) { return known.contains(name); }))
      continue;
    others += ", " + named(stage) + " on " + joined(names);
  }
  if (others.empty()) return std::nullopt;
  return "The stages of this run were on different nodes: " + named(*placed) + " on " + joined(expected) + others + ".";
}

Json warnings_of(const StageJobs& jobs) {
  Json warnings = Json::array();
  std::set<std::string> seen;
  for (const StageJob& stage : jobs.stages) {
    for (const std::string& text : texts_of(stage.end, "warnings")) {
      if (seen.insert(text).second) warnings.push_back(stage.kind == "main" ? text : named(stage) + ": " + text);
    }
  }
  if (auto warning = warning_of_nodes(jobs)) warnings.push_back(std::move(*warning));
  return warnings;
}

struct End {
  std::string state = "completed";
  std::string reason;
};

bool is_skipped(const StageJob& stage) {
  return text_of(stage.result, "state") == "skipped";
}

End end_of(const StageJobs& jobs) {
  for (const StageJob& stage : jobs.stages) {
    const std::string state = text_of(stage.end, "state");
    if (state.empty() || state == "completed") continue;
    const std::string reason = text_of(stage.end, "reason");
    return {state, reason.empty() || stage.kind == "main" ? reason : named(stage) + ": " + reason};
  }
  if (!jobs.trouble.empty()) return {"failed", jobs.trouble};
  if (jobs.is_cancelled && std::any_of(jobs.stages.begin(), jobs.stages.end(), is_skipped)) {
    return {"cancelled", "The job was cancelled."};
  }
  for (const StageJob& stage : jobs.stages) {
    if (!stage.why_closed.empty())
      return {"completed", "The gate of the " + named(stage) + " is closed: " + stage.why_closed + "."};
  }
  return {};
}

}  // namespace

Json job_result_of(const StageJobs& jobs) {
  const End end = end_of(jobs);
  Json result = {{"schema", "cloudai.job_result/1"}, {"id", jobs.tag}, {"state", end.state}};
  if (!end.reason.empty()) result["reason"] = end.reason;
  const StageJob* placed = placed_stage(jobs);
  result["nodes"] = placed == nullptr ? Json::array() : placed->end.at("nodes");
  result["stages"] = Json::array();
  for (const StageJob& stage : jobs.stages) result["stages"].push_back(stage.result);
  if (Json warnings = warnings_of(jobs); !warnings.empty()) result["warnings"] = std::move(warnings);
  return result;
}

}  // namespace cloudai::run
