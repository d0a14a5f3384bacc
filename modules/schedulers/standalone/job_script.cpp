#include "job_script.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "cloudai/error.hpp"
#include "cloudai/shell_text.hpp"
#include "cloudai/stage_script.hpp"

namespace standalone {
namespace {

using cloudai::Error;
using cloudai::expanding_word;
using cloudai::JobStage;
using cloudai::literal_word;
using cloudai::literal_words;
using cloudai::one_line;
using cloudai::runs_a_command;
using cloudai::Status;
using cloudai::Step;

// With run_stage, what every script has in common. Written so that a stage of one command takes two processes, bash and
// the command: builtins only, and each command replaces the subshell it is started from.
constexpr std::string_view step_function = R"bash(
# step COMMAND...: becomes the command, with what is left of the stage's time as its limit.
step() {
  [[ -n $cloudai_stage_limit ]] || exec -- "$@"
  local left=$((cloudai_stage_limit * 1000000 - (${EPOCHREALTIME/[!0-9]/} - cloudai_stage_started)))
  ((left > 0)) || exit 124
  printf -v left '%d.%06d' $((left / 1000000)) $((left % 1000000))
  exec timeout --kill-after=3 "$left" "$@"
}

# needs PROGRAM...: ends the stage as a shell does where there is no such program; mpirun would end as if by a signal.
needs() {
  local program
  for program; do
    type -P -- "$program" >/dev/null || {
      printf '%s: command not found\n' "$program" >&2
      exit 127
    }
  done
}
)bash";

constexpr std::string_view run_stage_function = R"bash(
# end_strays NUMBER: kills what a stage has left behind, in whatever session.
end_strays() {
  local environment own=CLOUDAI_PROCESS_MARK=$tag/$1
  while read -r environment; do
    kill -KILL "${environment//[!0-9]/}" 2>/dev/null
  done < <(CLOUDAI_PROCESS_MARK='' grep -lszxF -e "$own" -- /proc/[0-9]*/environ)
}

# run_stage NUMBER KIND NAME DIRECTORY LIMIT [WHOLE]: runs a stage, unless one before it rules that out, and records it in
# status/NUMBER. WHOLE: the limit is one of the stage's whole text, since its environment runs commands.
run_stage() {
  if [[ -n $cloudai_stopped_by ]]; then
    printf 'skipped=%s\n' "$cloudai_stopped_by" >"status/$1"
    return
  fi
  local directory=$4 timed_out=no gate=closed ended
  cloudai_stage_limit=$5
  [[ -d $directory ]] || mkdir -p -- "$directory"
  cloudai_stage_started=${EPOCHREALTIME/[!0-9]/}
  printf 'started=%s\n' "$cloudai_stage_started" >"status/$1"
  if [[ $2 == main && -e status/end_main ]]; then
    cloudai_stopped_by='the main stage had to end before it started'
    printf 'skipped=%s\n' "$cloudai_stopped_by" >"status/$1"
    return
  fi
  export CLOUDAI_PROCESS_MARK=$tag/$1
  if [[ -n $cloudai_stage_limit && -n ${6-} ]]; then
    timeout --kill-after=3 "$cloudai_stage_limit" bash "./${0##*/}" "$1"
  else
    "stage_$1"
  fi >"$directory/stdout.txt" 2>"$directory/stderr.txt" </dev/null
  exit_status=$?
  # One that ended before it was asked to has ended by itself.
  [[ $2 != main || ! -e status/end_main ]] || printf 'asked_to_end=yes\n' >>"status/$1"
  # What is started from here on is not of the stage, which may be asked to end at any moment.
  export CLOUDAI_PROCESS_MARK=$tag
  ended=${EPOCHREALTIME/[!0-9]/}
  why=
  if [[ -n $cloudai_stage_limit && $exit_status == @(124|137) ]] && ((ended - cloudai_stage_started >= cloudai_stage_limit * 1000000)); then
    timed_out=yes
    why="its time limit of $cloudai_stage_limit s has passed"
    end_strays "$1"
  elif "gate_$1"; then
    gate=open
  fi
  printf 'ended=%s\nexit_status=%s\ntimed_out=%s\ngate=%s\nwhy=%s\ncomplete\n' \
    "$ended" "$exit_status" "$timed_out" "$gate" "${why//$'\n'/ }" >>"status/$1"
  [[ $gate == open ]] && return
  cloudai_all_open=no
  [[ $2 != prologue ]] || cloudai_stopped_by="prologue $3 failed"
}
)bash";

constexpr std::string_view preparation = R"bash(
if [[ -n ${1-} ]]; then
  cloudai_stage_limit=
  "stage_$1"
  exit
fi
cloudai_all_open=yes
cloudai_stopped_by=
[[ -d status ]] || mkdir status
[[ ! -e status/id ]] || rm -f -- status/id status/finished status/end_main status/[0-9]*
read -r cloudai_boot_id </proc/sys/kernel/random/boot_id
read -r -a process <"/proc/$$/stat"
)bash";

void check(const JobStage& stage, const Step& step) {
  if (!step.image.empty()) {
    cloudai::refuse_plan(Status::unsupported, stage,
                         "runs in the image '" + step.image + "', but this system runs no containers.");
  }
  if (step.placement.launcher == cloudai::Launcher::none && step.placement.tasks_per_node > 1) {
    cloudai::refuse_plan(Status::invalid_config, stage,
                         "starts " + std::to_string(step.placement.tasks_per_node) +
                             " tasks on a node without MPI; the standalone scheduler starts one.");
  }
}

void check(const cloudai::Job& job) {
  if (job.runs.size() != 1) {
    throw Error(Status::unsupported,
                "The standalone scheduler runs jobs of one run; this one has " + std::to_string(job.runs.size()) + ".");
  }
  for (const JobStage& stage : job.runs.front().stages) {
    cloudai::check_stage(stage);
    for (const Step& step : stage.plan.steps) check(stage, step);
  }
}

// The step's command, as words, with what starts it.
std::vector<std::string> words_of(const Step& step) {
  std::vector<std::string> words;
  if (step.placement.launcher == cloudai::Launcher::mpi) {
    words = {"mpirun", "--oversubscribe", "-np", std::to_string(step.placement.tasks_per_node)};
  }
  if (step.command.argv.empty()) {
    words.insert(words.end(), {"bash", "-c", step.command.shell});
  } else {
    words.insert(words.end(), step.command.argv.begin(), step.command.argv.end());
  }
  return words;
}

std::string step_text(const Step& step, const std::string& indent) {
  std::string text;
  for (const auto& [name, value] : step.environment) {
    // Together with a command, `export` would hide that the command failed.
    const std::string assignment = name + "=" + expanding_word(value);
    if (runs_a_command(value)) {
      text += indent + assignment + " || exit\n" + indent + "export " + name + "\n";
    } else {
      text += indent + "export " + assignment + "\n";
    }
  }
  if (step.placement.launcher == cloudai::Launcher::mpi && !step.command.argv.empty()) {
    text += indent + "needs mpirun " + literal_word(step.command.argv.front()) + "\n";
  }
  return text + indent + "step " + literal_words(words_of(step)) + "\n";
}

std::string stage_text(const JobStage& stage, const std::string& number) {
  std::string text =
      "\n# Stage " + number + ": " + std::string(to_string(stage.kind)) + " " + one_line(stage.name) + "\n";
  text += "stage_" + number + "() (\n";
  if (stage.directory != ".") text += "  cd " + literal_word("./" + stage.directory) + " || exit\n";
  for (const Step& step : stage.plan.steps) {
    const bool is_last = &step == &stage.plan.steps.back();
    // The last step becomes the stage's own subshell; an earlier one needs another.
    text += is_last ? step_text(step, "  ") : "  (\n" + step_text(step, "    ") + "  ) || exit\n";
  }
  return text + ")\ngate_" + number + "() {\n" + cloudai::gate_text(stage.plan.success) + "}\n";
}

std::string run_text(const JobStage& stage, const std::string& number) {
  const std::string limit =
      stage.time_limit ? std::to_string(static_cast<long long>(std::ceil(std::max(*stage.time_limit, 0.0)))) : "''";
  const bool runs_commands = std::ranges::any_of(stage.plan.steps, [](const Step& step) {
    return std::ranges::any_of(step.environment, [](const auto& variable) { return runs_a_command(variable.value); });
  });
  return "run_stage " + number + " " + std::string(to_string(stage.kind)) + " " + literal_word(one_line(stage.name)) +
         " " + literal_word(stage.directory == "." ? "." : "./" + stage.directory) + " " + limit +
         (stage.time_limit && runs_commands ? " whole" : "") + "\n";
}

std::string heading(const cloudai::Job& job) {
  std::string nodes;
  for (const std::string& node : job.nodes.names) nodes += (nodes.empty() ? "" : ",") + node;
  const std::string master = job.nodes.names.empty() ? "localhost" : job.nodes.names.front();
  return "#!/usr/bin/env bash\n"
         "# Job " +
         one_line(job.name) +
         ", written by cloudai. Runs the stages below one after the other and records in status/ how they\n"
         "# ended. To start it again by hand, from anywhere: bash " +
         script_name +
         "\n"
         "# shellcheck disable=SC2016,SC2317 # A dollar in single quotes is literal; stages and gates are called by "
         "number.\n"
         "\n"
         "[[ $0 != */* ]] || CDPATH='' cd -- \"${0%/*}\" || exit\n"
         "[[ -n ${1-} ]] || export CLOUDAI_RUN_DIR=$PWD CLOUDAI_JOB_ID=$$ CLOUDAI_NODE_RANK=0 CLOUDAI_NUM_NODES=1\n"
         "export CLOUDAI_MASTER_NODE=" +
         literal_word(master) + " CLOUDAI_NODE_LIST=" + literal_word(nodes.empty() ? master : nodes) +
         "\ntag=" + literal_word(job.tag) + "\n";
}

}  // namespace

std::string job_script(const cloudai::Job& job) {
  check(job);
  std::string stages;
  std::string runs;
  std::string listings;
  int count = 0;
  for (const JobStage& stage : job.runs.front().stages) {
    const std::string number = std::to_string(++count);
    stages += stage_text(stage, number);
    runs += run_text(stage, number);
    listings += " " + cloudai::stage_listing(stage, number);
  }
  return heading(job) + std::string(step_function) + std::string(cloudai::gate_functions) +
         std::string(run_stage_function) + stages + std::string(preparation) + "printf '%s\\n' \"tag=$tag\"" +
         listings + " \"id=$$:${process[21]}-${cloudai_boot_id:0:8}\" >status/id\n" + runs +
         ": >status/finished\n"
         "[[ $cloudai_all_open == yes ]]\n";
}

std::string main_command(const cloudai::Job& job) {
  std::string text;
  for (const cloudai::JobRun& run : job.runs) {
    for (const JobStage& stage : run.stages) {
      if (stage.kind != cloudai::StageKind::main) continue;
      for (const Step& step : stage.plan.steps) text += (text.empty() ? "" : " && ") + literal_words(words_of(step));
    }
  }
  return text;
}

}  // namespace standalone
