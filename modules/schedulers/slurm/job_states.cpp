#include "job_states.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "text_fields.hpp"

namespace slurm {
namespace {

using cloudai::JobEnd;

struct Known {
  std::string_view name;
  std::string_view code;
  Progress progress;
  JobEnd end;
  std::string_view meaning;
};

constexpr std::array<Known, 30> states{{
    {"PENDING", "PD", Progress::pending, JobEnd::lost, ""},
    {"CONFIGURING", "CF", Progress::pending, JobEnd::lost, ""},
    {"POWER_UP_NODE", "PO", Progress::pending, JobEnd::lost, ""},
    {"REQUEUED", "RQ", Progress::pending, JobEnd::lost, ""},
    {"REQUEUE_FED", "RF", Progress::pending, JobEnd::lost, ""},
    {"REQUEUE_HOLD", "RH", Progress::pending, JobEnd::lost, ""},
    {"RESV_DEL_HOLD", "RD", Progress::pending, JobEnd::lost, ""},
    {"SPECIAL_EXIT", "SE", Progress::pending, JobEnd::lost, ""},
    {"EXPEDITING", "EX", Progress::pending, JobEnd::lost, ""},
    {"RUNNING", "R", Progress::running, JobEnd::lost, ""},
    {"SUSPENDED", "S", Progress::running, JobEnd::lost, ""},
    {"STOPPED", "ST", Progress::running, JobEnd::lost, ""},
    {"SIGNALING", "SI", Progress::running, JobEnd::lost, ""},
    {"RESIZING", "RS", Progress::running, JobEnd::lost, ""},
    {"UPDATE_DB", "UD", Progress::running, JobEnd::lost, ""},
    {"COMPLETING", "CG", Progress::completing, JobEnd::lost, ""},
    {"STAGE_OUT", "SO", Progress::completing, JobEnd::lost, ""},
    {"COMPLETED", "CD", Progress::ended, JobEnd::completed, ""},
    {"FAILED", "F", Progress::ended, JobEnd::failed, "the job failed"},
    {"CANCELLED", "CA", Progress::ended, JobEnd::cancelled, "the job was cancelled"},
    {"TIMEOUT", "TO", Progress::ended, JobEnd::time_limit, "the job's time limit has passed"},
    {"DEADLINE", "DL", Progress::ended, JobEnd::failed, "the job's deadline has passed"},
    {"NODE_FAIL", "NF", Progress::ended, JobEnd::node_fail, "a node of the job failed"},
    {"BOOT_FAIL", "BF", Progress::ended, JobEnd::node_fail, "a node of the job did not boot"},
    {"OUT_OF_MEMORY", "OOM", Progress::ended, JobEnd::failed, "the job ran out of memory"},
    {"PREEMPTED", "PR", Progress::ended, JobEnd::failed, "the job was preempted by another one"},
    {"REVOKED", "RV", Progress::ended, JobEnd::cancelled,
     "the job was revoked: another cluster of the federation ran it"},
    {"LAUNCH_FAILED", "LF", Progress::ended, JobEnd::failed, "the job could not be launched"},
    {"RECONFIG_FAIL", "RG", Progress::ended, JobEnd::node_fail, "a node of the job could not be reconfigured"},
    // squeue's column of two characters.
    {"OUT_OF_MEMORY", "OO", Progress::ended, JobEnd::failed, "the job ran out of memory"},
}};

const Known* find_state(std::string_view word) {
  // "CANCELLED+" is CANCELLED with more behind it, "OUT_OF_ME+" the beginning of a longer name.
  const bool is_cut = word.size() > 1 && word.back() == '+';
  if (is_cut) word.remove_suffix(1);
  const auto found = std::find_if(states.begin(), states.end(), [&](const Known& state) {
    return state.name == word || (!is_cut && state.code == word) ||
           (is_cut && word.size() >= 3 && state.name.substr(0, word.size()) == word);
  });
  return found == states.end() ? nullptr : &*found;
}

const Known* find_state(const JobState& state) {
  return find_state(std::string_view(state.name));
}

}  // namespace

JobState parse_job_state(std::string_view text) {
  text = trim(text);
  const std::string_view word = text.substr(0, text.find_first_of(" \t,"));
  std::string upper(word);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (const Known* known = find_state(upper)) return {std::string(known->name), known->progress};
  return {std::string(text), Progress::unknown};
}

cloudai::JobEnd end_in(const JobState& state) {
  const Known* known = find_state(state);
  return known == nullptr ? JobEnd::lost : known->end;
}

std::string_view meaning(const JobState& state) {
  const Known* known = find_state(state);
  return known == nullptr ? std::string_view() : known->meaning;
}

std::optional<ExitCode> parse_exit_code(std::string_view text) {
  text = trim(text);
  ExitCode code;
  const char* end = text.data() + text.size();
  const auto [after_status, status_error] = std::from_chars(text.data(), end, code.status);
  if (status_error != std::errc{}) return std::nullopt;
  if (after_status == end) return code;
  if (*after_status != ':') return std::nullopt;
  const auto [after_signal, signal_error] = std::from_chars(after_status + 1, end, code.signal);
  if (signal_error != std::errc{} || after_signal != end) return std::nullopt;
  return code;
}

std::optional<int> signal_of(const ExitCode& code) {
  constexpr int out_of_memory = 125;  // Slurm's own, no signal
  constexpr int kill = 9;
  constexpr int first_real_time_signal = 32;
  if (code.signal != 0) return code.signal == out_of_memory ? std::nullopt : std::optional(code.signal);
  if (code.status > 128 && code.status < 128 + first_real_time_signal) return code.status - 128;
  if (code.status == kill) return kill;
  return std::nullopt;
}

std::string describe(const ExitCode& code) {
  if (const auto signal = signal_of(code)) return "signal " + std::to_string(*signal);
  return "exit status " + std::to_string(code.status);
}

bool cannot_pass(std::string_view reason) {
  // Limits of one job: of its size or of its time. Limits of all a user's jobs together pass with time.
  constexpr std::array<std::string_view, 10> parts{
      "PerJob", "PartitionNodeLimit", "PartitionTimeLimit", "BadConstraints", "NotAllowed", "Held",
      "held",   "NeverSatisfied",     "InvalidAccount",     "InvalidQOS"};
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return contains(reason, part); });
}

}  // namespace slurm
