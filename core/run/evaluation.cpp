#include "core/run/evaluation.hpp"

#include "core/pipeline/documents.hpp"
#include "core/run/shared_job.hpp"
#include "core/support/files.hpp"
#include "core/support/json_texts.hpp"
#include "core/support/log.hpp"

namespace cloudai::run {

namespace fs = std::filesystem;

namespace {

std::optional<Result<Json>> evaluate_stage(const Surroundings& s, const PreparedJob& job, std::size_t run_index,
                                           std::size_t stage_index, const Json& result, Interference interference) {
  const pipeline::Run& run = *job.job.runs[run_index].run;
  const pipeline::Stage& stage = run.stages[stage_index];
  const std::string state = text_of(result, "state");
  if (state != "ended" && (state != "unfinished" || interference == Interference::cancelled)) return std::nullopt;
  auto workload = s.loader.workload(stage.test->workload);
  if (!workload) return tl::make_unexpected(workload.error());
  const bool ended = interference == Interference::main_ended && stage.kind == pipeline::StageKind::main;
  const auto context = context_of(s, job, job.job.runs[run_index]);
  return (*workload)->evaluate(
      pipeline::stage_document(run, stage, context, job.plans[run_index][stage_index], result, ended));
}

Result<void> write_outcome(const Surroundings& s, const pipeline::Run& run, const Evidence& evidence) {
  Json stages = Json::array();
  for (std::size_t i = 0; i < run.stages.size(); ++i) {
    const auto& outcome = evidence.outcomes[i];
    if (!outcome || !*outcome) continue;
    stages.push_back({{"kind", to_string(run.stages[i].kind)},
                      {"name", run.stages[i].name},
                      {"directory", (fs::path(run.id) / run.stages[i].directory).lexically_normal().generic_string()},
                      {"outcome", **outcome}});
  }
  const Json document = {{"schema", "cloudai.run_outcome/1"}, {"id", run.id}, {"stages", std::move(stages)}};
  return files::write(s.results_directory / run.id / "outcome.json",
                      document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<Evidence> evaluate_run(const Surroundings& s, const PreparedJob& job, std::size_t index, Json result,
                              Interference interference) {
  const pipeline::Run& run = *job.job.runs[index].run;
  Evidence evidence{std::move(result), {}, interference};
  for (const std::string& warning : texts_of(evidence.job_result, "warnings")) {
    log::warn("test {}: {}", run.test_case->id, warning);
  }
  for (std::size_t i = 0; i < run.stages.size(); ++i) {
    const Json* stage_result = find_stage_result(evidence.job_result, run.stages[i]);
    evidence.outcomes.push_back(
        stage_result == nullptr ? std::nullopt : evaluate_stage(s, job, index, i, *stage_result, interference));
  }
  // A run that another one in its job kept from starting has none.
  if (job.job.is_shared && !has_begun(evidence.job_result)) return evidence;
  if (auto written = write_outcome(s, run, evidence); !written) return tl::make_unexpected(written.error());
  return evidence;
}

}  // namespace

Result<std::vector<Evidence>> evaluate(const Surroundings& s, const PreparedJob& job, const Json& job_result,
                                       Interference interference) {
  std::vector<Evidence> all;
  for (std::size_t i = 0; i < job.job.runs.size(); ++i) {
    Json result = job.job.is_shared ? result_of_run(job_result, job, i) : job_result;
    const bool ended_by_itself = job.job.is_shared && text_of(result, "state") == "completed";
    auto evidence = evaluate_run(s, job, i, std::move(result), ended_by_itself ? Interference::none : interference);
    if (!evidence) return tl::make_unexpected(evidence.error());
    all.push_back(std::move(*evidence));
  }
  return all;
}

}  // namespace cloudai::run
