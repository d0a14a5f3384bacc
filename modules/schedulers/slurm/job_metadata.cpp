#include "job_metadata.hpp"

#include <cstdio>

namespace slurm {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04X", static_cast<unsigned>(c));
      result += escape;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string entry(const std::string& key, const std::string& text) {
  return key + " = " + quoted(text) + "\n";
}

std::string exit_code_text(const ExitCode& code) {
  return std::to_string(code.status) + ":" + std::to_string(code.signal);
}

// What a job and a step have in common.
std::string common(const std::string& job_id, const std::string& name, const std::string& state,
                   const std::string& start, const std::string& end, std::optional<long long> elapsed,
                   const ExitCode& code) {
  return "job_id = " + job_id + "\n" + entry("name", name) + entry("state", state) + entry("start_time", start) +
         entry("end_time", end) + "elapsed_time_sec = " + std::to_string(elapsed.value_or(0)) + "\n" +
         entry("exit_code", exit_code_text(code));
}

}  // namespace

std::string metadata_text(const JobMetadata& job) {
  std::string text = common(job.job_id, job.name, job.state, job.start_time, job.end_time, job.elapsed, job.exit_code) +
                     entry("srun_cmd", job.srun_command) + entry("test_cmd", job.test_command) +
                     "is_single_sbatch = " + (job.is_single_sbatch ? "true" : "false") + "\n" +
                     entry("job_root", job.job_root);
  for (const AccountingRow& step : job.steps) {
    text += "\n[[job_steps]]\n" +
            common(job.job_id, step.name, step.state.name, step.start, step.end, step.elapsed, step.exit_code) +
            entry("step_id", step.step) + entry("submit_line", step.submit_line);
  }
  return text;
}

}  // namespace slurm
