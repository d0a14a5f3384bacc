#include "memory_note.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "cloudai/shell_text.hpp"
#include "job_files.hpp"
#include "text_fields.hpp"

namespace slurm {
namespace {

// It is written when the step ends.
constexpr std::streamoff searched_end = 256 * 1024;

std::string end_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const std::streamoff size = file.tellg();
  file.seekg(std::max<std::streamoff>(size - searched_end, 0));
  std::string text(static_cast<std::size_t>(std::min(size, searched_end)), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

// As Slurm 22.05 to 25.x write it: "slurmstepd: error: Detected 1 oom_kill event in StepId=42.0. Some of the step tasks
// have been OOM Killed.", and "srun: error: n1: task 0: Out Of Memory". A label of the task may stand before it.
bool tells_of_memory(std::string_view line) {
  constexpr std::size_t longest_label = 16;
  constexpr std::array<std::string_view, 4> words{"oom_kill", "oom-kill", "OOM Killed", "OOM Killer"};
  const auto begins_with = [&](std::string_view who) { return line.find(who) <= longest_label; };
  if (begins_with("slurmstepd"))
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return contains(line, word); });
  return begins_with("srun: error: ") && contains(line, ": Out Of Memory");
}

std::string line_about_memory(const std::filesystem::path& path) {
  const std::string text = end_of_file(path);
  for (const std::string_view line : split_lines(text)) {
    if (tells_of_memory(line)) return cloudai::one_line(trim(line));
  }
  return {};
}

}  // namespace

std::string memory_note(const std::string& job_directory, const std::vector<cloudai::ListedStage>& stages,
                        const std::vector<cloudai::StageResult>& results) {
  const std::filesystem::path job = job_directory;
  for (std::size_t i = 0; i < std::min(stages.size(), results.size()); ++i) {
    if (results[i].state == cloudai::StageState::skipped || stages[i].directory.empty()) continue;
    const std::string line = line_about_memory(job / stages[i].directory / stderr_name);
    if (!line.empty()) return "out of memory in the " + cloudai::records::named(stages[i]) + ": " + line;
  }
  for (const char* name : {stderr_name, common_stderr_name}) {
    const std::string line = line_about_memory(job / name);
    if (!line.empty()) return "the job ran out of memory: " + line;
  }
  return {};
}

}  // namespace slurm
