// `cloudai modules` and the module path, as people and scripts use them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

// Some of what it does takes its time on a busy machine.
Ended verify(const Workspace& workspace, Arguments arguments) {
  arguments.insert(arguments.begin(), {"modules", "verify"});
  return workspace.start(arguments)->wait(600s);
}

std::string sleep_module() {
  return (build_directory() / "lib/cloudai/modules/sleep.so").string();
}

TEST(Modules, VerifyHasALineForEachCheck) {
  const Workspace workspace;
  const auto ended = verify(workspace, {sleep_module()});
  EXPECT_EQ(ended.exit_status, 0) << ended.out;
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(first_missing(
                ended.out,
                {"file       ok\n", "elf        ok       needs ", "manifest   ok       cloudai.sleep 0.1.0\n",
                 "abi        ok       ABI 0.0\n", "load       ok\n", "documents  ok\n", "workload   ok\n",
                 "scheduler  skipped  It provides no scheduler.\n", "reporter   skipped  It provides no reporter.\n",
                 "process    ok\n", sleep_module() + ": 8 ok, 0 failed, 2 skipped\n"}),
            "");
}

TEST(Modules, VerifyAsJson) {
  const Workspace workspace;
  workspace.write("text.so", "hello");
  const auto ended = verify(workspace, {"text.so", "--only", "file", "--json"});
  EXPECT_EQ(ended.exit_status, 1);
  const Json document = Json::parse(ended.out);
  const std::string file = (workspace.root() / "text.so").string();
  EXPECT_EQ(document.at("file"), file);
  EXPECT_EQ(document.at("passed"), false);
  ASSERT_EQ(document.at("checks").size(), 1U);
  EXPECT_EQ(document["checks"][0].at("name"), "file");
  EXPECT_EQ(document["checks"][0].at("verdict"), "failed");
  EXPECT_EQ(document["checks"][0].at("sentences"), Json::array({file + " is not an ELF file."}));
}

TEST(Modules, VerifyOfAFileThatIsNotThere) {
  const Workspace workspace;
  const auto ended = verify(workspace, {"gone.so"});
  EXPECT_EQ(ended.exit_status, 1);
  EXPECT_THAT(ended.out, StartsWith("file       failed   " + (workspace.root() / "gone.so").string() +
                                    " cannot be opened: No such file or directory.\n"));
}

TEST(Modules, VerifyKnowsItsChecks) {
  const Workspace workspace;
  const auto ended = verify(workspace, {sleep_module(), "--only", "manifets"});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(ended.err, HasSubstr("There is no check 'manifets'. Did you mean 'manifest'?"));
}

TEST(Modules, StrictModulesStopARunBeforeAnythingRuns) {
  const Workspace workspace;
  workspace.system();
  workspace.test("good", "touch $MARKS/good");
  workspace.scenario(test_case("Tests.1", "good"));
  workspace.write("mine/broken.so", "hello");
  const std::string directory = (workspace.root() / "mine").string();
  const auto ended = workspace.run({"--module-path", directory, "--strict-modules"});
  EXPECT_EQ(ended.exit_status, 3);
  EXPECT_THAT(ended.err, HasSubstr("[ERROR] " + directory + "/broken.so is not an ELF file."));
  EXPECT_THAT(ended.err, HasSubstr("--strict-modules takes no file on the module path that is not used."));
  EXPECT_THAT(workspace.all_results(), IsEmpty());
  EXPECT_FALSE(workspace.marked("good"));

  const auto lenient = workspace.run({"--module-path", directory});
  EXPECT_EQ(lenient.exit_status, 0) << lenient.err;
  EXPECT_THAT(lenient.err, HasSubstr("[ERROR] " + directory + "/broken.so is not an ELF file."));
}

TEST(Modules, TheSummarySaysWhichModulesMadeIt) {
  const Workspace workspace;
  workspace.system();
  workspace.test("good", "true");
  workspace.scenario(test_case("Tests.1", "good"));
  // A copy that hides the one that came with the program.
  fs::create_directory(workspace.root() / "mine");
  const fs::path mine = workspace.root() / "mine/my_bash.so";
  fs::copy_file(build_directory() / "lib/cloudai/modules/bash_cmd.so", mine);
  fs::permissions(mine, fs::perms{0755});
  const auto ended = workspace.run({"--module-path", mine.parent_path().string()});
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  const std::string hidden = "workload 'BashCmd' of " +
                             (build_directory() / "lib/cloudai/modules/bash_cmd.so").string() + " is hidden by " +
                             mine.string() + ".";
  EXPECT_THAT(ended.err, HasSubstr(hidden));
  EXPECT_EQ(ended.err.find(hidden), ended.err.rfind(hidden)) << "it is said once";
  bool is_there = false;
  const Json modules = workspace.summary().at("modules");
  for (const Json& used : modules) {
    EXPECT_TRUE(std::regex_match(used.at("sha256").get<std::string>(), std::regex("[0-9a-f]{64}")));
    EXPECT_TRUE(std::regex_match(used.at("build_id").get<std::string>(), std::regex("([0-9a-f]{2}){8,}")));
    is_there = is_there || (used.at("id") == "cloudai.bash_cmd" && used.at("path") == mine.string());
  }
  EXPECT_TRUE(is_there) << modules;
}

TEST(Modules, SchemasAreJsonAndNameTheModules) {
  const Workspace workspace;
  const auto test = workspace.cloudai({"schema", "test", "Sleep"});
  EXPECT_EQ(test.exit_status, 0) << test.err;
  const Json schema = Json::parse(test.out);
  EXPECT_EQ(schema.at("$schema"), "http://json-schema.org/draft-07/schema#");
  EXPECT_EQ(schema["properties"]["cmd_args"]["properties"]["seconds"]["default"], 5);
  for (const char* kind : {"test", "scenario", "system"}) {
    const auto any = workspace.cloudai({"schema", kind});
    EXPECT_EQ(any.exit_status, 0) << any.err;
    EXPECT_TRUE(Json::accept(any.out)) << kind;
  }
  const auto unknown = workspace.cloudai({"schema", "test", "Slep"});
  EXPECT_EQ(unknown.exit_status, 2);
  EXPECT_EQ(unknown.out, "");
  EXPECT_THAT(unknown.err, HasSubstr("no module provides workload 'Slep'. Did you mean 'Sleep'?"));
}

}  // namespace
}  // namespace end_to_end
