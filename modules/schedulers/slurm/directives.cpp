#include "directives.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "cloudai/shell_text.hpp"
#include "host_list.hpp"
#include "job_files.hpp"
#include "job_script.hpp"
#include "output_pattern.hpp"

namespace slurm {
namespace {

// One word for sbatch, which reads these lines itself: a blank ends a word, '#' begins a comment, and within double
// quotes a backslash takes '"' and itself literally.
std::string directive_word(const std::string& text) {
  if (cloudai::literal_word(text) == text && text.find('#') == std::string::npos) return text;
  std::string word = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') word += '\\';
    word += c;
  }
  return word + "\"";
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

// Older Slurms know fewer forms of host lists than are accepted here, but all know names.
std::string expanded(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists) {
    for (std::string& name : expand_host_list(list)) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
  }
  return joined(names);
}

// No step may ask for more tasks on a node than its job did.
int tasks_per_node(const cloudai::Job& job, const SystemOptions& options) {
  int most = options.tasks_per_node.value_or(1);
  for (const cloudai::JobRun& run : job.runs) {
    for (const cloudai::JobStage& stage : run.stages) {
      for (const cloudai::Step& step : stage.plan.steps) most = std::max(most, step.placement.tasks_per_node);
    }
  }
  return most;
}

class Lines {
 public:
  void add(const std::string& option, const std::string& value) {
    text_ += "#SBATCH --" + option + "=" + directive_word(value) + "\n";
  }
  void add_unless_empty(const std::string& option, const std::string& value) {
    if (!value.empty()) add(option, value);
  }
  void add_literally(const std::string& arguments) { text_ += "#SBATCH " + arguments + "\n"; }

  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

void add_output(Lines& lines, const cloudai::Job& job) {
  const bool is_one_run = !has_run_directories(job);
  const std::string directory = output_pattern(job.directory) + "/";
  lines.add("output", directory + (is_one_run ? stdout_name : common_stdout_name));
  lines.add("error", directory + (is_one_run ? stderr_name : common_stderr_name));
}

void add_nodes(Lines& lines, const cloudai::Job& job) {
  if (!job.nodes.names.empty()) return lines.add("nodelist", joined(job.nodes.names));
  lines.add_literally("-N " + std::to_string(job.nodes.count));
  lines.add_unless_empty("exclude", expanded(job.exclude_nodes));
}

void add_gpus(Lines& lines, const SystemOptions& options) {
  const int gpus = options.gpus_per_node.value_or(0);
  if (gpus == 0 || !options.supports_gpu_directives.value_or(true)) return;
  lines.add("gpus-per-node", std::to_string(gpus));
  lines.add("gres", "gpu:" + std::to_string(gpus));
}

// Of the arguments of srun: a step can only be where its job is.
std::string reservation_of_steps(const SystemOptions& options) {
  SystemOptions of_steps = options;
  of_steps.extra_sbatch_args.clear();
  return requested_reservation(of_steps);
}

bool asks_for_requeue(const SystemOptions& options) {
  return std::any_of(options.extra_sbatch_args.begin(), options.extra_sbatch_args.end(), [](const std::string& text) {
    return (" " + text + " ").find(" --requeue ") != std::string::npos;
  });
}

}  // namespace

std::string time_limit_text(double seconds) {
  constexpr long long most_minutes = 365LL * 24 * 60;
  const double minutes = std::ceil(std::max(seconds, 0.0) / 60);
  const long long whole = minutes >= most_minutes ? most_minutes : std::max(1LL, static_cast<long long>(minutes));
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%02lld:%02lld:00", whole / 60 % 24, whole % 60);
  const long long days = whole / (24 * 60);
  return (days > 0 ? std::to_string(days) + "-" : "") + text.data();
}

std::string directives(const cloudai::Job& job, const SystemOptions& options) {
  Lines lines;
  lines.add("job-name", job_name(job, options));
  add_output(lines, job);
  lines.add("partition", options.default_partition);
  lines.add_unless_empty("account", options.account);
  lines.add_unless_empty("reservation", reservation_of_steps(options));
  lines.add_unless_empty("distribution", options.distribution);
  add_nodes(lines, job);
  add_gpus(lines, options);
  const int tasks = tasks_per_node(job, options);
  if (options.tasks_per_node || tasks > 1) lines.add("ntasks-per-node", std::to_string(tasks));
  if (job.time_limit) lines.add("time", time_limit_text(*job.time_limit + limit_slack(job)));
  if (!asks_for_requeue(options)) lines.add_literally("--no-requeue");
  // A restarted job must not empty the output of the start before it.
  lines.add("open-mode", "append");
  for (const std::string& argument : options.extra_sbatch_args) lines.add_literally(argument);
  return std::move(lines).text();
}

}  // namespace slurm
