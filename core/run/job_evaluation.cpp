#include "core/run/job_evaluation.hpp"

#include "core/run/evaluation.hpp"
#include "core/run/requirements.hpp"
#include "core/run/shared_job.hpp"
#include "core/support/json_texts.hpp"
#include "core/support/log.hpp"
#include "core/support/secrets.hpp"

namespace cloudai::run {

namespace {

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
  const pipeline::JobRun& part = job.job.runs[index];
  redact_quotes(result, secrets_of(*part.run, job.plans[index]));
  for (const std::string& warning : texts_of(result, "warnings")) {
    log::warn("test {}: {}", part.run->test_case->id, warning);
  }
  const bool has_outcome = !job.job.is_shared || has_begun(result);
  const RunToJudge to_judge =
      run_to_judge(*part.run, context_of(s, job, part), job.plans[index], std::move(result), interference);
  Evidence evidence = evaluate(to_judge, s.loader);
  // A run that another one in its job kept from starting has none.
  if (!has_outcome) return evidence;
  if (auto written = write_evaluation(to_judge, *part.run, s.configuration.system, s.results_directory); !written) {
    return tl::make_unexpected(written.error());
  }
  if (auto written = write_outcome(s.results_directory, outcome_document(to_judge, evidence)); !written) {
    return tl::make_unexpected(written.error());
  }
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
