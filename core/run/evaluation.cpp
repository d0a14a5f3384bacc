#include "core/run/evaluation.hpp"

#include "core/pipeline/documents.hpp"
#include "core/run/requirements.hpp"
#include "core/run/shared_job.hpp"
#include "core/support/files.hpp"
#include "core/support/json_texts.hpp"
#include "core/support/log.hpp"
#include "core/support/secrets.hpp"

namespace cloudai::run {

namespace fs = std::filesystem;

namespace {

std::optional<Result<Json>> evaluate_stage(const Surroundings& s, const PreparedJob& job, std::size_t run_index,
                                           std::size_t stage_index, const Json& result, bool is_cancelled,
                                           bool ended_by_us) {
  const pipeline::Run& run = *job.job.runs[run_index].run;
  const pipeline::Stage& stage = run.stages[stage_index];
  const std::string state = text_of(result, "state");
  if (state != "ended" && (state != "unfinished" || is_cancelled)) return std::nullopt;
  auto workload = s.loader.workload(stage.test->workload);
  if (!workload) return tl::make_unexpected(workload.error());
  const auto context = context_of(s, job, job.job.runs[run_index]);
  return (*workload)->evaluate(
      pipeline::stage_document(run, stage, context, job.plans[run_index][stage_index], result, ended_by_us));
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

std::vector<std::string> secrets_of(const pipeline::Run& run, const std::vector<Json>& plans) {
  std::vector<std::string> secrets;
  for (const pipeline::Stage& stage : run.stages) {
    for (std::string& secret : secret_arguments(*stage.test)) secrets.push_back(std::move(secret));
  }
  for (const Json& plan : plans) {
    for (const Json& step : plan.at("steps")) {
      for (const Json& variable : step.value("environment", Json::array())) {
        if (is_secret_name(text_of(variable, "name"))) secrets.push_back(text_of(variable, "value"));
      }
    }
  }
  return secrets;
}

// What a scheduler quotes may be from the job's script, which holds secrets.
void redact_quotes(Json& job_result, const std::vector<std::string>& secrets) {
  const auto redact = [&](Json& text) {
    if (text.is_string()) text = without_secrets(text.get<std::string>(), secrets);
  };
  if (job_result.contains("reason")) redact(job_result["reason"]);
  if (!job_result.contains("warnings")) return;
  for (Json& warning : job_result["warnings"]) redact(warning);
}

Result<Evidence> evaluate_run(const Surroundings& s, const PreparedJob& job, std::size_t index, Json result,
                              Interference interference) {
  const pipeline::Run& run = *job.job.runs[index].run;
  redact_quotes(result, secrets_of(run, job.plans[index]));
  Evidence evidence{std::move(result), {}, interference};
  for (const std::string& warning : texts_of(evidence.job_result, "warnings")) {
    log::warn("test {}: {}", run.test_case->id, warning);
  }
  for (std::size_t i = 0; i < run.stages.size(); ++i) {
    const Json* stage_result = find_stage_result(evidence.job_result, run.stages[i]);
    const bool ended_by_us = was_ended_by_us(evidence.job_result, run.stages[i], interference);
    evidence.outcomes.push_back(
        stage_result == nullptr
            ? std::nullopt
            : evaluate_stage(s, job, index, i, *stage_result, interference == Interference::cancelled, ended_by_us));
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
