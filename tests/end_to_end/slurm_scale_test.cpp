// Five hundred jobs at once on a real Slurm: what they cost the scheduler, and this program. Takes minutes, so it runs
// with `scripts/test --all` only.

#include <unistd.h>

#include <fstream>
#include <iostream>
#include <sstream>

#include "tests/end_to_end/slurm_test.hpp"

namespace end_to_end {
namespace {

constexpr int job_count = 500;
const std::vector<std::string> commands{"sbatch", "squeue", "sacct", "scontrol", "sinfo", "scancel", "srun"};

class SlurmScale : public SlurmTest {
 protected:
  void SetUp() override { start_cluster({.nodes = 4, .accounting = true, .settings = {"MaxJobCount=2000"}}); }

  std::string path_that_counts() const {
    std::string path;
    // Jobs inherit PATH; what they call is not counted.
    for (const auto& name : commands) {
      path = path_with(name, "[ -n \"$SLURM_JOB_ID\" ] || echo >>\"$MARKS/" + name + "\"\nexec \"$REAL\" \"$@\"\n");
    }
    return path;
  }
  std::size_t count_of(const std::string& name) const { return lines_of(read(workspace.marker(name))).size(); }
};

// Processor time that the process itself has used, in seconds; what its children used does not count.
double processor_seconds(pid_t pid) {
  const auto stat = read("/proc/" + std::to_string(pid) + "/stat");
  std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0;
  double kernel = 0;
  fields >> user >> kernel;
  return (user + kernel) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

TEST_F(SlurmScale, CostsAtMostTwoCommandsAPoll) {
  system("max_parallel = " + std::to_string(job_count) + "\n");
  workspace.test("quick", "true");
  std::string scenario = "job_status_check = false\n";
  for (int i = 0; i < job_count; ++i) scenario += test_case("Tests." + std::to_string(i), "quick");
  workspace.scenario(scenario);
  const auto program = start(workspace.command("run"), {{"PATH", path_that_counts()}});
  double seconds = 0;
  const auto summary_is_there = [&] {
    const auto all = workspace.all_results();
    return all.size() == 1 && std::filesystem::exists(all.front() / "summary.json");
  };
  ASSERT_TRUE(eventually(
      [&] {
        seconds = std::max(seconds, processor_seconds(program->pid()));
        sleep_for(200ms);
        return summary_is_there();
      },
      1500s))
      << program->err();
  EXPECT_EQ(program->wait().exit_status, 0);

  const auto summary = workspace.summary();
  EXPECT_EQ(summary.at("counts"), (Json{{"passed", job_count}}));
  const auto polls = summary.at("scheduler_calls").at("poll").get<std::size_t>();
  for (const auto& name : commands) std::cout << name << ": " << count_of(name) << "\n";
  std::cout << "polls: " << polls << ", processor time: " << seconds << " s, of " << summary.at("seconds") << " s\n"
            << "scheduler_commands: " << summary.at("scheduler_commands") << "\n";
  EXPECT_EQ(count_of("sbatch"), static_cast<std::size_t>(job_count));
  EXPECT_EQ(count_of("scancel"), 0U);
  // Besides the polls there are a few questions at the start.
  EXPECT_LE(count_of("squeue") + count_of("sacct") + count_of("scontrol") + count_of("sinfo"), 2 * polls + 5);
}

}  // namespace
}  // namespace end_to_end
