// What a job's script left in its status directory, read back.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cloudai/documents/scheduler.hpp"

namespace standalone {

// A stage as render listed it, so that its records can be read without the job.
struct ListedStage {
  cloudai::StageKind kind = cloudai::StageKind::main;
  std::string name;
};

// The list as a submission carries it, and back. Reading throws cloudai::Error(invalid_document).
cloudai::Json list_stages(const cloudai::Job& job);
std::vector<ListedStage> read_stage_list(const cloudai::Json& submission);

// What a script wrote down when it started.
struct ScriptIdentity {
  std::string tag;
  std::string id;
  std::vector<ListedStage> stages;
};
std::optional<ScriptIdentity> read_script_identity(const std::filesystem::path& job_directory);

// How far the stage with this number, from 1, of a running job has come.
enum class StageProgress { waiting, started, over };
StageProgress progress_of(const std::filesystem::path& job_directory, size_t number);

bool is_finished(const std::filesystem::path& job_directory);

// The stages of a job that may still run: those that have started, been skipped or ended.
std::vector<cloudai::StageResult> stages_so_far(const std::filesystem::path& job_directory,
                                                const std::vector<ListedStage>& stages);

// The stages of a job that has ended, every one of them.
struct FinalStages {
  std::vector<cloudai::StageResult> stages;
  std::vector<std::string> warnings;  // records that are missing or not readable
  std::string reason;                 // why the first gate is closed; empty if none is
};
FinalStages final_stages(const std::filesystem::path& job_directory, const std::vector<ListedStage>& stages);

}  // namespace standalone
