#include "tests/end_to_end/slurm_test.hpp"

#include <stdlib.h>

#include <sstream>

namespace end_to_end {
namespace fs = std::filesystem;

void SlurmTest::start_cluster(const slurm_cluster::Options& options) {
  std::string why_not;
  cluster = slurm_cluster::Cluster::start(options, workspace.root() / "cluster", why_not);
  if (cluster == nullptr) GTEST_SKIP() << why_not;
}

void SlurmTest::system(const std::string& more, const std::string& partition) const {
  workspace.write("system.toml", "name = \"virtual\"\nscheduler = \"slurm\"\ninstall_path = \"" +
                                     (workspace.root() / "install").string() + "\"\noutput_path = \"" +
                                     workspace.output().string() + "\"\ndefault_partition = \"" + partition +
                                     "\"\nmonitor_interval = 1\n" + more + "\n[[partitions]]\nname = \"" + partition +
                                     "\"\n");
}

std::unique_ptr<Program> SlurmTest::start(const Arguments& arguments,
                                          std::map<std::string, std::string> environment) const {
  environment.emplace("SLURM_CONF", cluster->configuration().string());
  return workspace.start(arguments, environment);
}

Ended SlurmTest::run(const Arguments& more, const std::map<std::string, std::string>& environment) const {
  auto ended = start(workspace.command("run", more), environment)->wait(300s);
  EXPECT_FALSE(ended.timed_out) << ended.err;
  return ended;
}

std::string SlurmTest::job_in_state(const std::string& test, const std::string& state) const {
  std::string found;
  EXPECT_TRUE(eventually(
      [&] {
        for (const auto& line : lines_of(cluster->ask({"squeue", "--noheader", "--states=all", "--format=%A|%T|%j"}))) {
          std::istringstream fields(line);
          std::string id;
          std::string current;
          std::string name;
          std::getline(std::getline(std::getline(fields, id, '|'), current, '|'), name);
          if (current == state && name.rfind(test + "_", 0) == 0) found = id;
        }
        return !found.empty();
      },
      120s))
      << "no job of the test " << test << " came to be " << state << "\n"
      << cluster->command({"scontrol", "show", "job"}).out;
  return found;
}

int SlurmTest::jobs_ever() const {
  return static_cast<int>(lines_of(cluster->ask({"squeue", "--noheader", "--states=all", "--format=%A"})).size());
}

std::string SlurmTest::path_with(const std::string& name, const std::string& script) const {
  const auto folder = workspace.root() / "wrappers";
  workspace.write("wrappers/" + name, "#!/bin/bash\nREAL=$(PATH=${PATH#*:} command -v " + name + ")\n" + script);
  fs::permissions(folder / name, fs::perms::owner_all);
  const char* path = ::getenv("PATH");
  return folder.string() + ":" + (build_directory() / "bin").string() + ":" +
         (path != nullptr ? path : "/usr/bin:/bin");
}

std::string reason_code(const Json& run_or_stage) {
  return run_or_stage.at("reason").at("code");
}

std::string reason_text(const Json& run_or_stage) {
  return run_or_stage.at("reason").at("text");
}

std::string record_node(const std::string& mark) {
  return "echo \"$(hostname) $SLURM_JOB_ID\" >>\"$MARKS/" + mark + "\"";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace end_to_end
