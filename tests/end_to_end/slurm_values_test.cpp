// Odd values on their way to a real job: what the user wrote is what the job's processes see.

#include <algorithm>
#include <sstream>

#include "tests/end_to_end/slurm_test.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::string> odd_values{
    {"ODD_SPACES", "  two  words  "}, {"ODD_QUOTES", "it's \"so\""},
    {"ODD_LISTS", "a,b;c:d|e&f"},     {"ODD_LINES", "one\ntwo\n"},
    {"ODD_BACKSLASH", "C:\\temp\\n"}, {"ODD_PATTERNS", "*.toml [a-z] ? ~ {1,2} #!"},
    {"ODD_PERCENT", "%N %j 100%"},    {"ODD_EMPTY", ""},
    {"ODD_BRACKETS", "<(>)${}`id`"},  {"ODD_LETTERS", "naïve ☃"}};

// A TOML basic string.
std::string quoted(const std::string& text) {
  return Json(text).dump();
}

// In values of the environment a dollar means something where the job starts, unless a backslash takes that away.
std::string literal(const std::string& value) {
  std::string result;
  for (const char c : value) {
    if (c == '$') result += '\\';
    result += c;
  }
  return result;
}

std::vector<std::string> texts_in(const fs::path& path) {
  std::istringstream stream(read(path));
  std::vector<std::string> texts;
  for (std::string text; std::getline(stream, text, '\0');) texts.push_back(text);
  return texts;
}

class SlurmValues : public SlurmTest {
 protected:
  void SetUp() override { start_cluster({.nodes = 2}); }

  // What the first task of the benchmark's stand-in got.
  std::vector<std::string> arguments() const { return texts_in(workspace.marker("arguments")); }
  std::map<std::string, std::string> environment() const {
    std::map<std::string, std::string> result;
    for (const auto& entry : texts_in(workspace.marker("environment"))) {
      const auto equals = entry.find('=');
      result[entry.substr(0, equals)] = entry.substr(equals + 1);
    }
    return result;
  }
};

// In place of the benchmark: writes down what it was given.
const std::string benchmark =
    "[ \"$SLURM_PROCID\" = 0 ] || exit 0\n"
    "printf '%s\\0' \"$@\" >\"$MARKS/arguments\"\n"
    "env -0 >\"$MARKS/environment\"\n"
    "echo 'Avg bus bandwidth'\n";

TEST_F(SlurmValues, ReachTheProcessesOfATestUnchanged) {
  system("ntasks_per_node = 2\n[global_env_vars]\nGLOBAL = \"of the system\"\nHOME_OF_IT = \"in $HOME\"\n");
  std::string text =
      "name = \"bench\"\ndescription = \"\"\ntest_template_name = \"NcclTest\"\nextra_container_mounts = "
      "[\"/data/a b:/data/it's\", \"/x;y:/x\\\"y:ro\"]\n[cmd_args]\ndocker_image_url = "
      "\"registry.example#team/image:tag\"\n"
      "[extra_cmd_args]\n";
  for (const auto& [name, value] : odd_values) {
    if (!value.empty()) text += "\"--" + name + "\" = " + quoted(value) + "\n";
  }
  text += "\"--dollar\" = \"$HOME `id` $(id)\"\n[extra_env_vars]\n";
  for (const auto& [name, value] : odd_values) text += name + " = " + quoted(literal(value)) + "\n";
  workspace.write("tests/bench.toml", text);
  workspace.scenario(test_case("Tests.1", "bench", "num_nodes = 2\n"));
  // The output is none of a benchmark, so the verdict is not of interest here.
  const auto ended = run({}, {{"PATH", path_with("all_reduce_perf_mpi", benchmark)}});
  ASSERT_TRUE(workspace.marked("environment")) << ended.err;

  const auto seen = environment();
  for (const auto& [name, value] : odd_values) EXPECT_EQ(seen.at(name), value) << name;
  EXPECT_EQ(seen.at("GLOBAL"), "of the system");
  EXPECT_EQ(seen.at("HOME_OF_IT"), "in " + workspace.root().string());
  EXPECT_EQ(seen.at("CONTAINER_OPTION_IMAGE"), "registry.example#team/image:tag");
  EXPECT_THAT(seen.at("CONTAINER_OPTION_MOUNTS"), testing::HasSubstr("/data/a b:/data/it's,/x;y:/x\"y:ro"));
  EXPECT_EQ(seen.count("CONTAINER_OPTION_NO_MOUNT_HOME"), 1U);

  const auto given = arguments();
  const auto value_of = [&](const std::string& name) {
    const auto found = std::find(given.begin(), given.end(), name);
    return found == given.end() || found + 1 == given.end() ? "(no such argument)" : *(found + 1);
  };
  for (const auto& [name, value] : odd_values) {
    if (value.empty()) continue;
    EXPECT_EQ(value_of("--" + name), value);
  }
  EXPECT_EQ(value_of("--dollar"), "$HOME `id` $(id)") << "arguments are literal";
}

TEST_F(SlurmValues, OfPathsAreKeptForEveryFile) {
  system();
  workspace.test("work", "echo said by work");
  workspace.hook_test("check", "echo said by check");
  workspace.hook("before", {"check"});
  workspace.scenario("prologue = \"before\"\n" + test_case("Tests.1", "work"));
  const auto output = workspace.root() / "it's 100% \"odd\" %j $HOME #1";
  const auto ended = run({"--output-dir", output.string()});
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  int directories = 0;
  for (const auto& results : fs::directory_iterator(output)) {
    ++directories;
    EXPECT_EQ(read(results.path() / "Tests.1/0/stdout.txt"), "said by work\n");
    EXPECT_EQ(read(results.path() / "Tests.1/0/prologue/check/stdout.txt"), "said by check\n");
  }
  EXPECT_EQ(directories, 1);
}

TEST_F(SlurmValues, OfArgumentsOfACaseReachTheSrunsOfItsStage) {
  system("extra_srun_args = \"--kill-on-bad-exit=1\"\n");
  workspace.test("work", "echo said by work");
  workspace.hook_test("check", "echo said by check");
  workspace.hook("before", {"check"});
  workspace.scenario("prologue = \"before\"\n" + test_case("Tests.1", "work", "extra_srun_args = \"--label\"\n") +
                     test_case("Tests.2", "work"));
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(read(workspace.results() / "Tests.1/0/stdout.txt"), "0: said by work\n");
  EXPECT_EQ(read(workspace.results() / "Tests.1/0/prologue/check/stdout.txt"), "said by check\n");
  EXPECT_EQ(read(workspace.results() / "Tests.2/0/stdout.txt"), "said by work\n");
}

}  // namespace
}  // namespace end_to_end
