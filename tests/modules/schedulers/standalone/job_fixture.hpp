// Jobs for the tests, and running them for real.
#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "cloudai/host.hpp"
#include "job_script.hpp"
#include "real_host.hpp"
#include "standalone_scheduler.hpp"
#include "tests/sdk/module_harness.hpp"

namespace standalone::testing {

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

inline cloudai::Step mpi_step(int ranks, std::vector<std::string> argv) {
  cloudai::Step step = argv_step(std::move(argv));
  step.placement.launcher = cloudai::Launcher::mpi;
  step.placement.tasks_per_node = ranks;
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

inline cloudai::JobStage prologue(std::vector<cloudai::Step> steps) {
  return stage(cloudai::StageKind::prologue, "before", std::move(steps));
}
inline cloudai::JobStage main_stage(std::vector<cloudai::Step> steps) {
  return stage(cloudai::StageKind::main, "test", std::move(steps));
}
inline cloudai::JobStage epilogue(std::vector<cloudai::Step> steps) {
  return stage(cloudai::StageKind::epilogue, "after", std::move(steps));
}

// A step that leaves a file in the run's directory.
inline cloudai::Step marker(const std::string& name) {
  return shell_step(": >\"$CLOUDAI_RUN_DIR/" + name + "\"");
}

inline cloudai::Job job_of(std::vector<cloudai::JobStage> stages, const std::string& directory = "/results/Tests.1/0") {
  cloudai::Job job;
  // Of this process alone: what a job leaves behind is found by its tag, and tests run side by side.
  job.tag = "t" + std::to_string(::getpid());
  job.name = "scenario.Tests.1";
  job.nodes = {1, {"node001"}};
  job.directory = directory;
  job.runs.push_back({"Tests.1/0", {}, std::move(stages)});
  return job;
}

inline std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

inline bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

// What the core does with a rendering's files.
inline void write_files(const cloudai::Rendering& rendering, const std::filesystem::path& directory) {
  for (const cloudai::RenderedFile& file : rendering.files) {
    std::filesystem::create_directories((directory / file.path).parent_path());
    std::ofstream(directory / file.path, std::ios::binary) << file.content;
  }
}

// How many processes of a session there are, zombies left out.
inline int count_session(pid_t session) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos || ::getsid(std::stoi(name)) != session) continue;
    const std::string stat = content(entry.path() / "stat");
    const size_t state = stat.rfind(')') + 2;
    if (stat.size() > state && stat[state] != 'Z') ++count;
  }
  return count;
}

class StandaloneTest : public ::testing::Test {
 protected:
  StandaloneTest() {
    // That MPI may run as root is the environment's decision, here the test's.
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  }

  static cloudai::OpenRequest open_request() {
    cloudai::host().connect(real_host());
    cloudai::OpenRequest request;
    request.system.options.json = cloudai::Json{{"ntasks_per_node", 4}};
    return request;
  }

  std::filesystem::path path(const std::string& name) const { return directory_.path() / name; }

  std::string submit(std::vector<cloudai::JobStage> stages) {
    const cloudai::Job job = job_of(std::move(stages), directory_.path());
    const cloudai::Rendering rendering = scheduler_.render(job);
    write_files(rendering, directory_.path());
    const cloudai::Submitted submitted = scheduler_.submit({job.tag, job.directory, rendering.submission});
    watched_ = submitted.watch.at(0);
    return submitted.id;
  }

  cloudai::JobResult end(const std::string& id) {
    EXPECT_TRUE(eventually([&] { return scheduler_.poll({id}).jobs.at(0).state == cloudai::JobPhase::ended; }));
    return scheduler_.collect(id);
  }

  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }

  cloudai::JobResult run(std::vector<cloudai::JobStage> stages) { return end(submit(std::move(stages))); }

  static pid_t pid_of(const std::string& id) { return std::stoi(id); }

  cloudai::testing::TemporaryDirectory directory_;
  StandaloneScheduler scheduler_{open_request()};
  std::string watched_;
};

}  // namespace standalone::testing
