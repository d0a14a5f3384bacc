// Lets the workloads judge the stages of a run that ended, and keeps in the run's directory what they were asked, so
// that the run can be judged anew from its results alone.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/module/proxies.hpp"
#include "core/pipeline/documents.hpp"
#include "core/run/judge.hpp"
#include "core/support/result.hpp"

namespace cloudai::run {

// The kind of stage that a document names, if there is such a kind.
std::optional<pipeline::StageKind> kind_named(const std::string& text);

struct StageToJudge {
  std::string kind;
  std::string name;
  std::string directory;  // relative to the results directory
  std::string workload;
  std::optional<Json> request;  // cloudai.stage/1; absent where there is nothing to judge
};

struct RunToJudge {
  std::string id;
  Json job_result;  // cloudai.job_result/1
  Interference interference = Interference::none;
  std::vector<StageToJudge> stages;  // in the run's order
};

// `plans` as they were run, by stage.
RunToJudge run_to_judge(const pipeline::Run& run, const pipeline::RunContext& context, const std::vector<Json>& plans,
                        Json job_result, Interference interference);

// Asks the workloads.
Evidence evaluate(const RunToJudge& run, module::Loader& loader);

// cloudai.run_outcome/1: what they said.
Json outcome_document(const RunToJudge& run, const Evidence& evidence);

// It as the text of an outcome.json.
std::string outcome_text(const Json& outcome);

// Writes it as outcome.json into the run's directory.
Result<void> write_outcome(const std::filesystem::path& results_directory, const Json& outcome);

// <run>/evaluation.json: what they were asked, the values of secrets redacted. `run` and `system` tell which those are.
Result<void> write_evaluation(const RunToJudge& to_judge, const pipeline::Run& run, const config::System& system,
                              const std::filesystem::path& results_directory);

// Reads it back from a results directory that may have been moved: paths into the old place lead to the new one. What
// is missing, damaged, of another run or leads out of the results directory is an error that names the file.
Result<RunToJudge> read_evaluation(const std::filesystem::path& results_directory, const std::string& run_id);

}  // namespace cloudai::run
