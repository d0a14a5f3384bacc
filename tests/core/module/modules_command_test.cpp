// `cloudai modules list` and `cloudai modules show`.
#include <gmock/gmock.h>

#include "core/app/commands.hpp"
#include "core/support/json.hpp"
#include "tests/core/module/captured_log.hpp"
#include "tests/core/module/scratch.hpp"

namespace cloudai::app {
namespace {

using module::test::CapturedLog;
using module::test::Scratch;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct ModulesCommand : testing::Test {
  // Runs the command on the scratch directory; what it printed is in output_.
  int list(const ModulesOptions& options) { return run(&list_modules, options); }
  int show(const ModulesOptions& options) { return run(&show_module, options); }
  int run(int (*command)(const GlobalOptions&, const ModulesOptions&), const ModulesOptions& options) {
    const GlobalOptions global{module_path_, is_strict_, scratch_ / "elsewhere/bin/cloudai", {}, {}};
    testing::internal::CaptureStdout();
    const int status = command(global, options);
    output_ = testing::internal::GetCapturedStdout();
    return status;
  }
  std::string at(const char* file) const { return (scratch_ / file).string(); }

  Scratch scratch_;
  std::vector<std::filesystem::path> module_path_{scratch_.path()};
  bool is_strict_ = false;
  CapturedLog log_;
  std::string output_;
};

TEST_F(ModulesCommand, ListsWhatThereIs) {
  scratch_.add("scheduler");
  scratch_.add("good");
  EXPECT_EQ(list({"", false, false}), success);
  EXPECT_EQ(output_,
            "KIND       NAME     VERSION  PATH\n"
            "reporter   fixture  1.0.0    " +
                at("scheduler.so") +
                "\n"
                "scheduler  fixture  1.0.0    " +
                at("scheduler.so") +
                "\n"
                "workload   Fixture  1.0.0    " +
                at("good.so") + "\n");
  EXPECT_THAT(log_.lines(), IsEmpty());
}

TEST_F(ModulesCommand, ListsNothingInSoManyWords) {
  EXPECT_EQ(list({"", false, false}), success);
  EXPECT_EQ(output_, "No modules found.\n");
}

TEST_F(ModulesCommand, BrokenFilesAreWarningsAndTheRestIsListedOnRequest) {
  scratch_.add("good");
  scratch_.add("plain_library");
  scratch_.write("text.so", "hello");
  EXPECT_EQ(list({"", false, false}), success);
  EXPECT_THAT(output_, testing::Not(HasSubstr("Not used")));
  EXPECT_THAT(log_.lines(),
              ElementsAre("debug ignored " + at("plain_library.so") + ": it has no CloudAI manifest (not a module?)",
                          "error " + at("text.so") + " is not an ELF file."));
  EXPECT_EQ(list({"", true, false}), success);
  EXPECT_THAT(output_, HasSubstr("\n\nNot used:\n"
                                 "  ignored " +
                                 at("plain_library.so") +
                                 ": it has no CloudAI manifest (not a module?)\n"
                                 "  " +
                                 at("text.so") + " is not an ELF file.\n"));
}

TEST_F(ModulesCommand, WhatIsHiddenIsSaidOnceAndListedWithWhoHidesIt) {
  scratch_.add("good", "a/mine.so");
  scratch_.add("two_names", "b/theirs.so");
  module_path_ = {scratch_ / "a", scratch_ / "b"};
  EXPECT_EQ(list({"", true, false}), success);
  const std::string sentence = "workload 'Fixture' of " + at("b/theirs.so") + " is hidden by " + at("a/mine.so") + ".";
  EXPECT_THAT(log_.lines(), ElementsAre("info " + sentence));
  EXPECT_THAT(output_, HasSubstr("\nHIDDEN              PATH"));
  EXPECT_THAT(output_, HasSubstr("\nworkload 'Fixture'  " + at("b/theirs.so") + "  " + at("a/mine.so") + "\n"));
  EXPECT_EQ(list({"", true, true}), success);
  EXPECT_EQ(Json::parse(output_)["ignored"][0]["hidden_by"], at("a/mine.so"));
}

TEST_F(ModulesCommand, StrictModulesTakesNothingThatIsNotUsed) {
  is_strict_ = true;
  scratch_.add("good");
  EXPECT_EQ(list({"", false, false}), success);
  EXPECT_THAT(log_.lines(), IsEmpty());
  scratch_.add("plain_library");
  EXPECT_EQ(list({"", false, false}), trouble);
  EXPECT_EQ(output_, "");
  EXPECT_THAT(
      log_.lines(),
      ElementsAre("error ignored " + at("plain_library.so") + ": it has no CloudAI manifest (not a module?)",
                  "error Nothing was done, since --strict-modules takes no file on the module path that is not used."));
}

TEST_F(ModulesCommand, StrictModulesTakesNoConflict) {
  is_strict_ = true;
  scratch_.add("good");
  scratch_.add("silent");
  EXPECT_EQ(list({"", false, false}), trouble);
  EXPECT_THAT(log_.lines(), testing::Contains(testing::StartsWith("error two modules in ")));
}

TEST_F(ModulesCommand, ListsAsJson) {
  scratch_.add("good");
  scratch_.write("text.so", "hello");
  EXPECT_EQ(list({"", true, true}), success);
  const auto document = Json::parse(output_);
  EXPECT_EQ(document["modules"], Json({{{"kind", "workload"},
                                        {"name", "Fixture"},
                                        {"interface", "cloudai.workload/1"},
                                        {"id", "test.good"},
                                        {"version", "1.0.0"},
                                        {"path", at("good.so")}}}));
  EXPECT_EQ(document["ignored"],
            Json({{{"path", at("text.so")}, {"why", "broken"}, {"reason", at("text.so") + " is not an ELF file."}}}));
  EXPECT_EQ(document["conflicts"], Json::array());
}

TEST_F(ModulesCommand, AConflictIsAFailure) {
  scratch_.add("good");
  scratch_.add("silent");
  EXPECT_EQ(list({"", false, false}), trouble);
  EXPECT_THAT(log_.lines(),
              ElementsAre("warning two modules in " + scratch_.path().string() +
                          " provide workload 'Fixture': good.so (1.0.0) and silent.so (1.0.0). Remove one."));
}

TEST_F(ModulesCommand, ShowsTheOptionsOfAModule) {
  scratch_.add("rich");
  EXPECT_EQ(show({"Rich", false, false}), success);
  EXPECT_EQ(output_.substr(0, output_.find("  build id")),
            "workload Rich\n"
            "  description  Has something of everything.\n"
            "  module       test.rich 1.0.0\n"
            "  vendor       Nobody\n"
            "  path         " +
                at("rich.so") +
                "\n"
                "  interface    cloudai.workload/1\n"
                "  ABI          0.0 (this cloudai offers 0.0)\n");
  EXPECT_THAT(output_,
              HasSubstr("  needs        steps, hooks\n"
                        "\n"
                        "OPTION     TYPE                 DEFAULT  SWEEPABLE  REQUIRED  DESCRIPTION\n"
                        "iters      integer, 1 to 9      20       yes        no        How often.\n"
                        "mode       choice               -        yes        yes       Which way. One of: fast, slow.\n"
                        "sizes      list of integer      -        no         no\n"
                        "time       number or string     \"1\"      yes        no        How  long.\n"
                        "net        object               -        no         no        The network.\n"
                        "net.ports  integer, at least 1  -        yes        no        Their number.\n"
                        "\n"
                        "METRIC  UNIT  BETTER  LABELS\n"
                        "busbw   GB/s  higher  size, placement\n"));
}

TEST_F(ModulesCommand, ShowsEverythingOfOneName) {
  scratch_.add("scheduler");
  EXPECT_EQ(show({"fixture", false, true}), success);
  const auto shown = Json::parse(output_);
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_EQ(shown[0]["kind"], "scheduler");
  EXPECT_EQ(shown[1]["kind"], "reporter");
  EXPECT_EQ(shown[0]["abi"], "0.0");
  EXPECT_EQ(shown[0]["manifest"]["id"], "test.scheduler");
}

TEST_F(ModulesCommand, ShowsANearNameForAnUnknownOne) {
  scratch_.add("good");
  EXPECT_EQ(show({"Fixtrue", false, false}), usage);
  EXPECT_EQ(output_, "");
  EXPECT_THAT(log_.lines(), ElementsAre("error no module provides 'Fixtrue'. Did you mean 'Fixture'?"));
  EXPECT_EQ(show({"zzz", false, false}), usage);
  EXPECT_THAT(log_.lines(), ElementsAre("error no module provides 'zzz'. 'cloudai modules list' shows what there is."));
}

TEST_F(ModulesCommand, ShowsWhyAModuleIsBroken) {
  scratch_.write("nccl_test.so", "hello");
  EXPECT_EQ(show({"NcclTest", false, false}), trouble);
  EXPECT_THAT(log_.lines(), testing::Contains("error module 'NcclTest' cannot be loaded: " + at("nccl_test.so") +
                                              " is not an ELF file."));
}

}  // namespace
}  // namespace cloudai::app
