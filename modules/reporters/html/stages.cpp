#include "modules/reporters/html/stages.hpp"

#include <cmath>

#include "modules/reporters/html/evidence.hpp"
#include "modules/reporters/html/format.hpp"

namespace cloudai::html {

using results::RunSummary;
using results::StageSummary;

namespace {

template <class Wanted>
mustache::list headline_list(const RunSummary& run, Wanted wanted) {
  mustache::list list;
  for (const results::HeadlineMetric& headline : run.headline) {
    if (!wanted(headline)) continue;
    mustache::object item;
    item["value"] = quantity_text(headline.metric.value, headline.metric.unit);
    item["name"] = headline.metric.name;
    item["labels"] = text(labels_text(headline.metric.labels));
    list.emplace_back(item);
  }
  return list;
}

std::string exit_text(const StageSummary& stage) {
  if (stage.signal) return "signal " + std::to_string(*stage.signal);
  return stage.exit_status ? std::to_string(*stage.exit_status) : std::string();
}

double stage_seconds(const RunSummary& run) {
  double sum = 0;
  for (const StageSummary& stage : run.stages) sum += stage.seconds.value_or(0);
  return sum;
}

mustache::list evidence_list(const StageSummary& stage, const std::filesystem::path& results, const Links& links) {
  mustache::list list;
  for (const Evidence& piece : stage.reason.value_or(Reason{}).evidence) {
    mustache::object item;
    item["where"] = place_of(piece);
    item["href"] = text(links.to(evidence_path(results, piece, stage.directory)));
    list.emplace_back(item);
  }
  return list;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string result;
  for (const std::string& part : parts) result += (result.empty() ? "" : ", ") + part;
  return result;
}

std::string attempts_text(const RunSummary& run) {
  if (run.attempts.size() < 2) return {};
  std::vector<std::string> parts;
  for (const results::Attempt& attempt : run.attempts) {
    parts.push_back(attempt.job.empty() ? attempt.status : attempt.status + " (job " + attempt.job + ")");
  }
  return std::to_string(run.attempts.size()) + ": " + joined(parts);
}

// As a picture of 100 units: a style in the markup is what the page's policy forbids.
void set_share(mustache::object& item, const StageSummary& stage, double all_seconds) {
  const bool known = stage.seconds && all_seconds > 0;
  const auto percent = known ? std::lround(*stage.seconds / all_seconds * 100) : 0L;
  item["time"] = stage.seconds ? duration_text(*stage.seconds) : std::string();
  item["percent"] = text(known ? std::to_string(percent) : std::string());
}

}  // namespace

void set_stages(mustache::object& object, const RunSummary& run, const std::filesystem::path& results,
                const Links& links) {
  const double all_seconds = stage_seconds(run);
  mustache::list list;
  for (const StageSummary& stage : run.stages) {
    const Reason reason = stage.reason.value_or(Reason{});
    mustache::object item;
    set_status(item, stage.status);
    item["kind"] = stage.kind;
    item["name"] = stage.name;
    item["reason"] = text(reason.text);
    item["hint"] = text(reason.hint);
    set_share(item, stage, all_seconds);
    item["exit"] = exit_text(stage);
    const auto is_its = [&](const results::HeadlineMetric& each) { return results::is_of_stage(each, stage); };
    set_list(item, "headline", headline_list(run, is_its));
    set_list(item, "files", link_list(stage_files(stage, links)));
    set_list(item, "evidence", evidence_list(stage, results, links));
    list.emplace_back(item);
  }
  set_list(object, "stages", list);
}

mustache::list main_headline(const RunSummary& run) {
  return headline_list(run, results::is_of_main);
}

mustache::list run_facts(const RunSummary& run) {
  Facts facts;
  facts.add("Workload", run.workload);
  facts.add("Job", run.job);
  facts.add("Depends on", joined(run.dependencies));
  facts.add("Started", time_text(run.started));
  facts.add("Ended", time_text(run.ended));
  if (run.hook_share && *run.hook_share > 0) facts.add("Prologue and epilogue", share_text(*run.hook_share));
  facts.add("Attempts", attempts_text(run));
  return facts.list();
}

std::string nodes_text(const RunSummary& run) {
  constexpr std::size_t most = 8;
  if (run.nodes.empty()) {
    return run.nodes_requested ? count_text(static_cast<std::size_t>(*run.nodes_requested), "node") : std::string();
  }
  if (run.nodes.size() <= most) return joined(run.nodes);
  const std::vector<std::string> first(run.nodes.begin(), run.nodes.begin() + most);
  return std::to_string(run.nodes.size()) + " nodes: " + joined(first) + ", …";
}

mustache::list problem_evidence(const Problem& problem, const std::filesystem::path& results, const Links& links) {
  mustache::list list;
  for (const Evidence& piece : problem.evidence) {
    const std::string path = evidence_path(results, piece, problem.stage_directory);
    mustache::object item;
    item["where"] = place_of(piece);
    item["href"] = text(links.to(path));
    item["excerpt"] = text(excerpt(results, path, piece));
    list.emplace_back(item);
  }
  return list;
}

mustache::list link_list(const std::vector<FileLink>& files) {
  mustache::list list;
  for (const FileLink& file : files) {
    mustache::object link;
    link["name"] = file.name;
    link["href"] = text(file.href);
    list.emplace_back(link);
  }
  return list;
}

std::string share_text(double share) {
  return std::to_string(std::lround(share * 100)) + " % of the stages' time";
}

}  // namespace cloudai::html
