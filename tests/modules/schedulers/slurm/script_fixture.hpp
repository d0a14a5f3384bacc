// Jobs for the tests of their scripts, and running a script without Slurm: stand-ins for its commands are found first.
#pragma once

#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cloudai/stage_records.hpp"
#include "job_script.hpp"
#include "tests/paths.hpp"
#include "tests/sdk/module_harness.hpp"

namespace slurm::testing {

inline cloudai::Step argv_step(std::vector<std::string> argv) {
  cloudai::Step step;
  step.command.argv = std::move(argv);
  return step;
}

inline cloudai::Step shell_step(std::string text) {
  cloudai::Step step;
  step.command.shell = std::move(text);
  return step;
}

inline cloudai::Step mpi_step(int tasks_per_node, std::vector<std::string> argv) {
  cloudai::Step step = argv_step(std::move(argv));
  step.placement.launcher = cloudai::Launcher::mpi;
  step.placement.tasks_per_node = tasks_per_node;
  return step;
}

inline cloudai::JobStage stage(cloudai::StageKind kind, const std::string& name, std::vector<cloudai::Step> steps) {
  cloudai::JobStage result;
  result.kind = kind;
  result.name = name;
  result.directory = kind == cloudai::StageKind::main ? "." : std::string(to_string(kind)) + "/" + name;
  result.plan.steps = std::move(steps);
  return result;
}

inline cloudai::Job job_of(std::vector<cloudai::JobStage> stages, const std::string& directory = "/results/Tests.1/0") {
  cloudai::Job job;
  job.tag = "k3x9a0b1c2d3e";
  job.name = "scenario.Tests.1";
  job.nodes = {2, {}};
  job.directory = directory;
  job.runs.push_back({"Tests.1/0", {}, std::move(stages)});
  return job;
}

inline SystemOptions options_of() {
  SystemOptions options;
  options.system_name = "cluster";
  options.install_path = "/install";
  options.default_partition = "main";
  return options;
}

inline std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

inline std::string script_of(const cloudai::Job& job, const SystemOptions& options = options_of()) {
  return render_job(job, options).files.at(0).content;
}

class ScriptTest : public ::testing::Test {
 protected:
  ScriptTest() {
    std::filesystem::create_directory(scratch_.path() / "bin");
    for (const char* name : {"srun", "scontrol", "squeue", "scancel"}) {
      std::filesystem::create_symlink(tree::source_directory() + "/tests/modules/schedulers/slurm/stand_ins/" + name,
                                      scratch_.path() / "bin" / name);
    }
    set_directory("job");
  }

  void set_directory(const std::string& name) {
    directory_ = scratch_.path() / name;
    std::filesystem::create_directories(directory_);
  }

  std::filesystem::path path(const std::string& name) const { return directory_ / name; }

  // Runs the job as Slurm would, its output files opened as it asks for. The script's exit status.
  int run(const cloudai::Job& job, const SystemOptions& options = options_of()) {
    const cloudai::Rendering rendering = render_job(job, options);
    for (const cloudai::RenderedFile& file : rendering.files) {
      std::ofstream(directory_ / file.path, std::ios::binary) << file.content;
    }
    stages_ = cloudai::read_stage_list(rendering.submission);
    return start(job);
  }

  // Runs what run() wrote.
  int start(const cloudai::Job& job) const {
    const bool is_one_run = !has_run_directories(job);
    ::setenv("STAND_INS", scratch_.path().c_str(), 1);
    ::setenv("JOB_DIRECTORY", directory_.c_str(), 1);
    const std::string command = std::string("cd / && PATH=\"$STAND_INS/bin:$PATH\" SLURM_JOB_ID=4711 ") +
                                "SLURM_JOB_NODELIST='n[1-2]' SLURM_JOB_NUM_NODES=2 bash \"$JOB_DIRECTORY/" +
                                script_name + "\" >>\"$JOB_DIRECTORY/" +
                                (is_one_run ? stdout_name : common_stdout_name) + "\" 2>>\"$JOB_DIRECTORY/" +
                                (is_one_run ? stderr_name : common_stderr_name) + '"';
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  // The command lines of the sruns so far, one a line; an argument's control characters are shown as '?'.
  std::string sruns() const { return content(scratch_.path() / "sruns"); }

  cloudai::FinalStages end() const { return cloudai::final_stages(directory_, stages_); }

  cloudai::testing::TemporaryDirectory scratch_;
  std::filesystem::path directory_;
  std::vector<cloudai::ListedStage> stages_;
};

}  // namespace slurm::testing
