// `cloudai modules verify` on modules with one fault each: the check that finds it, and its sentence.
#include "core/conformance/verify.hpp"

#include <gmock/gmock.h>

#include <map>

#include "tests/core/module/scratch.hpp"
#include "tests/paths.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define CLOUDAI_TEST_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CLOUDAI_TEST_SANITIZED true
#endif
#endif
#ifndef CLOUDAI_TEST_SANITIZED
#define CLOUDAI_TEST_SANITIZED false
#endif

namespace cloudai::conformance {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

fs::path faulty(const std::string& name) {
  return fs::path(tree::build_directory()) / "tests/fixtures/conformance" / (name + ".so");
}

// By the name of the check.
std::map<std::string, CheckResult> verified(const fs::path& file, const std::vector<std::string>& only = {}) {
  const auto command_of = [&](const Check& check, const fs::path& directory) {
    return std::vector<std::string>{tree::build_directory() + "/bin/cloudai", "module-check", std::string(check.name),
                                    file.string(), directory.string()};
  };
  const auto results = verify(only, command_of, [](const CheckResult&) {});
  std::map<std::string, CheckResult> by_name;
  if (!results) ADD_FAILURE() << results.error().message;
  for (const auto& result : results.value_or(std::vector<CheckResult>())) by_name[result.name] = result;
  return by_name;
}

std::vector<std::string> faults(const fs::path& file, const std::string& check) {
  const auto results = verified(file, {check});
  const auto found = results.find(check);
  if (found == results.end()) return {"the check did not run"};
  return found->second.verdict == Verdict::failed ? found->second.sentences : std::vector<std::string>();
}

TEST(ModuleVerify, AModuleWithoutAFaultPasses) {
  const auto results = verified(faulty("keeps_nothing_back"));
  ASSERT_EQ(results.size(), checks().size());
  for (const auto& [name, result] : results) {
    const bool is_of_other_kind = name == "scheduler" || name == "reporter";
    EXPECT_EQ(result.verdict, is_of_other_kind ? Verdict::skipped : Verdict::ok)
        << name << ": " << testing::PrintToString(result.sentences);
  }
  EXPECT_THAT(results.at("scheduler").sentences, ElementsAre("It provides no scheduler."));
  EXPECT_THAT(results.at("manifest").sentences, ElementsAre("test.keeps_nothing_back 1.0.0"));
}

TEST(ModuleVerify, WhatIsNoModuleIsSaidOnce) {
  const module::test::Scratch scratch;
  const auto text = scratch.write("text.so", "hello");
  const auto results = verified(text);
  EXPECT_THAT(results.at("file").sentences, ElementsAre(text.string() + " is not an ELF file."));
  EXPECT_EQ(results.at("elf").verdict, Verdict::skipped);
  EXPECT_THAT(results.at("elf").sentences, ElementsAre("See 'file'."));
  EXPECT_THAT(results.at("abi").sentences, ElementsAre("See 'file'."));
  EXPECT_THAT(results.at("process").sentences, ElementsAre("See 'load'."));
}

TEST(ModuleVerify, AnExportedSymbol) {
  EXPECT_THAT(faults(faulty("two_symbols"), "elf"),
              ElementsAre("It exports 1 symbol beside cloudai_module_entry_v0: helper_of_a_module. Build it with "
                          "cloudai_add_module()."));
}

TEST(ModuleVerify, NoEntry) {
  EXPECT_THAT(faults(module::test::Scratch::fixture_path("no_entry"), "elf"),
              Contains("It does not export cloudai_module_entry_v0. Build it with cloudai_add_module()."));
}

TEST(ModuleVerify, AnUndefinedSymbolInTheLoadersOwnWords) {
  EXPECT_THAT(faults(module::test::Scratch::fixture_path("undefined_symbol"), "elf"),
              ElementsAre(StartsWith("The loader of this machine says: undefined symbol: ")));
}

TEST(ModuleVerify, AManifestThatDescribesItsOptionsBadly) {
  EXPECT_THAT(
      faults(faulty("garbled_manifest"), "manifest"),
      ElementsAre(HasSubstr("provides[0].metrics[0].unit"),
                  "'gone' is required in the options of workload 'Fixture', but there is no such option.",
                  "There is no description of option 'iters' of workload 'Fixture'.",
                  "The keyword 'descripton' in the schema of option 'iters' of workload 'Fixture' is outside the "
                  "documented subset. Did you mean 'description'?",
                  "The default of option 'iters' of workload 'Fixture' is none that it allows: 'iters': found the "
                  "integer 0, expected at least 1."));
}

TEST(ModuleVerify, ANullMember) {
  EXPECT_THAT(faults(module::test::Scratch::fixture_path("null_member"), "abi"),
              ElementsAre(HasSubstr("has a null 'plan' in its cloudai.workload/1.")));
}

TEST(ModuleVerify, AnEntryAndANoteThatDiffer) {
  EXPECT_THAT(faults(module::test::Scratch::fixture_path("other_manifest"), "abi"),
              ElementsAre(HasSubstr("its module entry and its ELF note carry different manifests")));
}

TEST(ModuleVerify, GreetingsOnStdout) {
  EXPECT_THAT(faults(faulty("writes_to_stdout"), "load"),
              ElementsAre("The module writes to stdout, which is not its own: 'hello'. Use the host's log."));
}

TEST(ModuleVerify, TheEndOfTheProcessNamesTheCall) {
  EXPECT_THAT(faults(faulty("ends_process"), "documents"),
              ElementsAre("The module ended the process (exit status 0) in plan() with an empty request."));
}

TEST(ModuleVerify, ACrashNamesTheCall) {
  EXPECT_THAT(faults(faulty("crashes_in_evaluate"), "workload"),
              ElementsAre("The module crashed (SIGSEGV) in evaluate() where there is no output."));
}

TEST(ModuleVerify, RepliesThatAreNone) {
  EXPECT_THAT(faults(module::test::Scratch::fixture_path("silent"), "documents"),
              Contains("module 'test.silent' 1.0.0 returned ok from plan() without a reply. This was with an empty "
                       "request."));
}

TEST(ModuleVerify, APlanThatIsAnotherOneEachTime) {
  EXPECT_THAT(faults(faulty("unsteady_plan"), "workload"),
              ElementsAre("plan() answers the same request differently the second time. It has to depend on the "
                          "request alone."));
}

TEST(ModuleVerify, APassWithoutAMeasurement) {
  EXPECT_THAT(faults(faulty("passes_without_output"), "workload"),
              Contains("evaluate() where there is no output says 'passed', though the workload has metrics and there "
                       "is no measurement."));
}

TEST(ModuleVerify, AReporterThatWritesElsewhere) {
  EXPECT_THAT(
      faults(faulty("writes_elsewhere"), "reporter"),
      testing::AllOf(Contains("write() of no run touches 'left_behind.txt' outside of its directory."),
                     Contains("write() of no run names 'report.txt', which is not there."),
                     Contains("write() of no run names '../summary.json', which is not inside its directory.")));
}

TEST(ModuleVerify, WhatBelongsToTheProcess) {
  EXPECT_THAT(faults(faulty("changes_process"), "process"),
              ElementsAre("It changes the working directory, to '/proc'.",
                          "It changes the environment variable 'FAULTY_MODULE'.",
                          "It changes what is done with SIGUSR1.", HasSubstr("→ /dev/zero open.")));
}

TEST(ModuleVerify, MemoryThatIsKept) {
  if (CLOUDAI_TEST_SANITIZED) GTEST_SKIP() << "A sanitizer's memory is not counted.";
  EXPECT_THAT(faults(faulty("keeps_memory"), "process"),
              ElementsAre(testing::MatchesRegex("It keeps about 5[0-9][0-9] bytes of memory for each of 1000 calls.")));
}

TEST(ModuleVerify, ACheckThatNeverEnds) {
  const auto command_of = [](const Check&, const fs::path&) { return std::vector<std::string>{"sleep", "1000"}; };
  std::vector<std::string> heard;
  const auto results = verify(
      {"file"}, command_of, [&](const CheckResult& result) { heard = result.sentences; }, std::chrono::seconds(1));
  ASSERT_TRUE(results);
  EXPECT_THAT(heard, ElementsAre("The module did not come back within 1 s."));
}

}  // namespace
}  // namespace cloudai::conformance
