#include "tests/end_to_end/workspace.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "tests/paths.hpp"

namespace end_to_end {
namespace fs = std::filesystem;
namespace {

constexpr const char* mark_variable = "CLOUDAI_END_TO_END_WORKSPACE";

std::string bash_test(const std::string& name, const std::string& shell, std::string_view more) {
  return "name = \"" + name + "\"\ndescription = \"The test " + name + "\"\ntest_template_name = \"BashCmd\"\n" +
         "[cmd_args]\ncmd = '''" + shell + "'''\n" + std::string(more);
}

}  // namespace

fs::path source_directory() {
  return tree::source_directory();
}
fs::path build_directory() {
  return tree::build_directory();
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Workspace::Workspace() {
  std::string name = (fs::temp_directory_path() / "cloudai-end-to-end-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), "mkdtemp");
  root_ = name;
  for (const auto* folder : {"tests", "hook/test", "marks", "scratch"}) fs::create_directories(root_ / folder);
}

Workspace::~Workspace() {
  for (const auto pid : processes()) ::kill(pid, SIGKILL);
  std::error_code ignored;
  if (!testing::Test::HasFailure()) fs::remove_all(root_, ignored);
}

void Workspace::write(const fs::path& relative, std::string_view content) const {
  fs::create_directories((root_ / relative).parent_path());
  std::ofstream(root_ / relative, std::ios::binary) << content;
}

void Workspace::system(std::string_view more) const {
  write("system.toml", "name = \"here\"\nscheduler = \"standalone\"\ninstall_path = \"" + (root_ / "install").string() +
                           "\"\noutput_path = \"" + output().string() + "\"\n" + std::string(more));
}

void Workspace::test(const std::string& name, const std::string& shell, std::string_view more) const {
  write("tests/" + name + ".toml", bash_test(name, shell, more));
}

void Workspace::hook_test(const std::string& name, const std::string& shell) const {
  write("hook/test/" + name + ".toml", bash_test(name, shell, ""));
}

void Workspace::hook(const std::string& name, const std::vector<std::string>& tests, const std::string& limit) const {
  std::string text = "name = \"" + name + "\"\n";
  int number = 0;
  for (const auto& test : tests) {
    text +=
        test_case("Tests." + std::to_string(++number), test, limit.empty() ? "" : "time_limit = \"" + limit + "\"\n");
  }
  write("hook/" + name + ".toml", text);
}

void Workspace::scenario(std::string_view text) const {
  write("scenario.toml", "name = \"scenario\"\n" + std::string(text));
}

Arguments Workspace::command(const std::string& subcommand, const Arguments& more) const {
  Arguments result{subcommand,
                   "--system-config",
                   (root_ / "system.toml").string(),
                   "--tests-dir",
                   (root_ / "tests").string(),
                   "--hook-dir",
                   (root_ / "hook").string(),
                   "--test-scenario",
                   (root_ / "scenario.toml").string()};
  result.insert(result.end(), more.begin(), more.end());
  return result;
}

Launch Workspace::launch(const Arguments& arguments, const std::map<std::string, std::string>& environment,
                         const fs::path& directory) const {
  Launch launch;
  launch.command = {(build_directory() / "bin/cloudai").string()};
  launch.command.insert(launch.command.end(), arguments.begin(), arguments.end());
  launch.directory = directory.empty() ? root_ : directory;
  const char* path = ::getenv("PATH");
  launch.environment = {
      {mark_variable, root_.string()},
      {"MARKS", (root_ / "marks").string()},
      {"HOME", root_.string()},
      {"PATH", (build_directory() / "bin").string() + ":" + (path != nullptr ? path : "/usr/bin:/bin")},
      {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
      {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
  for (const auto& [name, value] : environment) launch.environment[name] = value;
  return launch;
}

std::unique_ptr<Program> Workspace::start(const Arguments& arguments,
                                          const std::map<std::string, std::string>& environment,
                                          const fs::path& directory) const {
  return std::make_unique<Program>(launch(arguments, environment, directory), root_ / "scratch");
}

std::unique_ptr<TerminalProgram> Workspace::start_on_terminal(
    const Arguments& arguments, unsigned short columns, const std::map<std::string, std::string>& environment) const {
  // As a person's terminal would have it, whatever the test runner's is.
  std::map<std::string, std::string> all{{"TERM", "xterm"}, {"NO_COLOR", ""}};
  for (const auto& [name, value] : environment) all[name] = value;
  return std::make_unique<TerminalProgram>(launch(arguments, all, {}), columns);
}

Ended Workspace::cloudai(const Arguments& arguments, const std::map<std::string, std::string>& environment,
                         const fs::path& directory) const {
  auto ended = start(arguments, environment, directory)->wait();
  EXPECT_FALSE(ended.timed_out) << ended.err;
  return ended;
}

std::vector<fs::path> Workspace::all_results() const {
  std::vector<fs::path> result;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(output(), none)) {
    if (entry.is_directory()) result.push_back(entry.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

fs::path Workspace::results() const {
  const auto all = all_results();
  if (all.size() != 1)
    throw std::runtime_error(std::to_string(all.size()) + " results directories in " + output().string());
  return all.front();
}

Json Workspace::summary() const {
  return Json::parse(read(results() / "summary.json"));
}

Json Workspace::run_of(const std::string& id) const {
  const auto document = summary();
  for (const auto& run : document.at("runs")) {
    if (run.at("id") == id) return run;
  }
  throw std::runtime_error("no run " + id + " in the summary");
}

std::vector<pid_t> Workspace::processes(pid_t except) const {
  auto result = processes_with(mark_variable, root_.string());
  std::erase(result, except);
  return result;
}

Json stage_of(const Json& run, const std::string& kind) {
  for (const auto& stage : run.at("stages")) {
    if (stage.at("kind") == kind) return stage;
  }
  throw std::runtime_error("no stage " + kind + " in " + run.dump());
}

std::string test_case(const std::string& id, const std::string& test, const std::string& more) {
  return "[[Tests]]\nid = \"" + id + "\"\ntest_name = \"" + test + "\"\n" + more;
}

std::string after(const std::string& id) {
  return "[[Tests.dependencies]]\ntype = \"start_post_comp\"\nid = \"" + id + "\"\n";
}

std::string first_missing(const std::string& text, const std::vector<std::string>& parts) {
  std::size_t position = 0;
  for (const auto& part : parts) {
    position = text.find(part, position);
    if (position == std::string::npos) return part;
    position += part.size();
  }
  return "";
}

}  // namespace end_to_end
