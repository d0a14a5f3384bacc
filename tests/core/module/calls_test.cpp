// Calls into modules that do it right, and into each that does something wrong.
#include <gmock/gmock.h>

#include "tests/core/module/captured_log.hpp"
#include "tests/core/module/isolated_module.hpp"

namespace cloudai::module {
namespace {

using test::Bench;
using test::Scratch;

// What a module does wrong is said in the same words wherever it runs.
struct Calls : testing::TestWithParam<Isolation> {
  Error error_of_plan(const char* fixture) const {
    Bench bench(fixture, GetParam());
    const auto plan = bench.plan();
    return plan ? Error{ErrorKind::usage, "no error", {}} : plan.error();
  }

  void expect_fault(const char* fixture, const std::string& message) const {
    const auto error = error_of_plan(fixture);
    EXPECT_EQ(error.message, message);
    EXPECT_EQ(error.kind, ErrorKind::trouble);
    EXPECT_EQ(error.hint, "");
  }
};

std::string name_of(const testing::TestParamInfo<Isolation>& info) {
  return info.param == Isolation::process ? "InAChild" : "InProcess";
}
INSTANTIATE_TEST_SUITE_P(Modules, Calls, testing::Values(Isolation::in_process, Isolation::process), name_of);

TEST_P(Calls, DocumentsGoInAndComeOut) {
  Bench bench("good", GetParam());
  const auto plan = bench.plan({{"schema", "cloudai.run/1"}, {"case", "Tests.1"}});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ((*plan)["request"].dump(), R"({"schema":"cloudai.run/1","case":"Tests.1","provider":"Fixture"})");

  const auto workload = bench.loader.workload("Fixture").value();
  EXPECT_EQ(workload->requirements(Json::object()).value()["items"], Json::array());
  EXPECT_EQ(workload->evaluate(Json::object()).value()["verdict"], "passed");
}

TEST_P(Calls, TheModulesErrorReachesTheUser) {
  const auto error = error_of_plan("failing");
  EXPECT_EQ(error.message, "module 'test.failing' 1.0.0 failed in plan(): the cluster is asleep.");
  EXPECT_EQ(error.hint, "Wake it.");
  EXPECT_EQ(error.kind, ErrorKind::trouble);
}

TEST_P(Calls, ARefusedConfigurationIsTheUsersMatter) {
  const auto error = error_of_plan("refusing");
  EXPECT_EQ(error.message, "module 'test.refusing' 1.0.0: 'iters' is too small. (at /test/cmd_args/iters)");
  EXPECT_EQ(error.kind, ErrorKind::usage);
}

TEST_P(Calls, FaultsOfTheReply) {
  expect_fault("silent", "module 'test.silent' 1.0.0 returned ok from plan() without a reply.");
  expect_fault("wordless",
               "module 'test.wordless' 1.0.0 failed in plan() with status 'failed' and without a message: this is a "
               "fault of the module.");
  expect_fault("unknown_status", "module 'test.unknown_status' 1.0.0 returned the unknown status 42 from plan().");
  expect_fault("invalid_json",
               "module 'test.invalid_json' 1.0.0 wrote a reply in plan() that is not valid JSON (at byte 28).");
  expect_fault("invalid_utf8",
               "module 'test.invalid_utf8' 1.0.0 wrote a reply in plan() that is not valid UTF-8 (at byte 12).");
  expect_fault("no_object", "module 'test.no_object' 1.0.0 wrote a reply in plan() that is not a JSON object.");
  expect_fault("deep_reply",
               "module 'test.deep_reply' 1.0.0 wrote a reply in plan() that is nested deeper than 64 levels.");
  expect_fault("many_keys",
               "module 'test.many_keys' 1.0.0 wrote a reply in plan() that has an object of more than 4096 keys.");
  expect_fault("huge_reply", "module 'test.huge_reply' 1.0.0 wrote a reply of more than 64 MiB in plan().");
}

TEST_P(Calls, DocumentsOfAnotherKindAreRefused) {
  expect_fault("wrong_schema",
               "workload 'Fixture' answered plan() with a document of schema 'cloudai.fairy_tale/1', where "
               "'cloudai.plan/1' was expected.");
  expect_fault("wrong_shape", "workload 'Fixture' answered plan() with a document whose 'steps' is not a list.");
}

// Where the toolchains of host and module agree, as here, the exception can be caught.
TEST_P(Calls, ExceptionsThatEscapeAreNamed) {
  expect_fault("throws", "module 'test.throws' 1.0.0 threw an exception (no reason) out of plan().");
}

TEST_P(Calls, ARequestThatIsNotUtf8IsNotSent) {
  Bench bench("good", GetParam());
  const auto plan = bench.plan({{"path", "\xff"}});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message,
            "the request of plan() to module 'test.good' 1.0.0 holds text that is not valid UTF-8.");
}

TEST_P(Calls, FaultsOfTheEntry) {
  const auto expect = [&](const char* fixture, const std::string& why) {
    Bench bench(fixture, GetParam());
    const auto workload = bench.loader.workload("Fixture");
    ASSERT_FALSE(workload) << fixture;
    EXPECT_EQ(workload.error().message, "module 'test." + std::string(fixture) + "' 1.0.0 cannot be loaded: " + why +
                                            ". Build " + bench.file.string() + " again.");
  };
  expect("entry_size_zero", "its module entry has 0 bytes, where 48 are needed");
  expect("entry_abi_too_new", "it needs module ABI 0.9; this cloudai offers 0.0");
  expect("other_manifest", "its module entry and its ELF note carry different manifests");
}

TEST_P(Calls, FaultsOfTheInterface) {
  expect_fault("null_member", "module 'test.null_member' 1.0.0 has a null 'plan' in its cloudai.workload/1.");
  expect_fault("size_zero", "module 'test.size_zero' 1.0.0 has a cloudai.workload/1 of 0 bytes, where 32 are needed.");
  expect_fault("no_interface",
               "module 'test.no_interface' 1.0.0 names cloudai.workload/1 in its manifest but does not have it.");
}

TEST_P(Calls, WhatTheLoaderSaysIsQuoted) {
  Bench undefined("undefined_symbol", GetParam());
  EXPECT_EQ(undefined.plan().error().message, "module 'test.undefined_symbol' 1.0.0 cannot be loaded: " +
                                                  undefined.file.string() + ": undefined symbol: function_nobody_has");
  Bench no_entry("no_entry", GetParam());
  EXPECT_EQ(no_entry.plan().error().message,
            "module 'test.no_entry' 1.0.0 cannot be loaded: " + no_entry.file.string() +
                " does not export cloudai_module_entry_v0. Build it with cloudai_add_module().");
  Bench missing("missing_library", GetParam());
  EXPECT_EQ(missing.plan().error().message,
            "module 'test.missing_library' 1.0.0 cannot be loaded: libabsent.so: cannot open shared object file: No "
            "such file or directory");
}

TEST_P(Calls, AHostInterfaceThatDoesNotExist) {
  expect_fault("unknown_host_interface",
               "module 'test.unknown_host_interface' 1.0.0 failed in init(): the host has no cloudai.host.teapot/1.");
}

TEST_P(Calls, AnotherWorkingDirectoryIsToldOfAndTakenBack) {
  test::CapturedLog log;
  const auto before = std::filesystem::current_path();
  Bench bench("changes_directory", GetParam());
  EXPECT_TRUE(bench.plan());
  EXPECT_EQ(std::filesystem::current_path(), before);
  EXPECT_THAT(log.lines(),
              testing::ElementsAre("warning module 'test.changes_directory' 1.0.0 changed the working directory in "
                                   "plan(), which no module may do; it was changed back."));
}

TEST_P(Calls, LeaksDoNotKeepTheRunFromGoingOn) {
  Bench bench("leaks", GetParam());
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(bench.plan());
}

TEST_P(Calls, AModuleMayRefuseToBeUsed) {
  expect_fault("refuses_init", "module 'test.refuses_init' 1.0.0 failed in init(): the licence has run out.");
}

TEST_P(Calls, AFileCutSinceTheScanIsNotMapped) {
  Bench bench("good", GetParam());
  std::filesystem::resize_file(bench.file, 100);
  EXPECT_THAT(
      bench.plan().error().message,
      testing::StartsWith("module 'test.good' 1.0.0 cannot be loaded: " + bench.file.string() + " is truncated"));
}

TEST_P(Calls, AFileReplacedSinceTheScanIsNotUsed) {
  Bench bench("good", GetParam());
  std::filesystem::remove(bench.file);
  std::filesystem::copy_file(Scratch::fixture_path("silent"), bench.file);
  std::filesystem::permissions(bench.file, std::filesystem::perms{0755});
  EXPECT_EQ(bench.plan().error().message, "module 'test.good' 1.0.0 cannot be loaded: " + bench.file.string() +
                                              " was replaced while cloudai was running.");
}

}  // namespace
}  // namespace cloudai::module
