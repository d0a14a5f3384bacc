#include "core/config/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class Verify : public testing::Test {
 protected:
  // "OK system a/b.toml", one a file.
  std::vector<std::string> verify(const VerifyPaths& paths) {
    problems.clear();
    codes.clear();
    const module::Catalogue modules = fixture::modules();
    const auto verified = config::verify(paths, modules, [](const std::string&) { return std::nullopt; });
    if (!verified) return {verified.error().message};
    std::vector<std::string> lines;
    for (const VerifiedFile& file : *verified) {
      lines.push_back((file.problems.has_errors() ? "FAIL " : "OK ") + std::string(to_string(file.kind)) + " " +
                      file.path.string());
      for (const Diagnostic& problem : file.problems.all()) {
        problems.push_back(to_string(problem));
        codes.push_back(problem.code);
      }
    }
    return lines;
  }

  std::vector<std::string> verify(const std::string& path) { return verify(VerifyPaths{{path}, {}, {}}); }

  static std::string scenario(const std::string& test) {
    return "name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"" + test + "\"\nnum_nodes = 4\n";
  }

  fixture::Files files;
  std::vector<std::string> problems;
  std::vector<std::string> codes;
};

TEST_F(Verify, NamesThatAreThereTwiceInADirectoryAreErrors) {
  files.write("test/a.toml", fixture::reduce_test);
  files.write("test/b.toml", fixture::reduce_test);
  files.write("other/test/a.toml", fixture::reduce_test);
  EXPECT_THAT(verify("."), ElementsAre("OK test other/test/a.toml", "OK test test/a.toml", "FAIL test test/b.toml"));
  EXPECT_THAT(problems, ElementsAre("test/b.toml:1:1: error: test 'reduce' is there twice: first in test/a.toml. "
                                    "Rename or remove one."));
}

TEST_F(Verify, AScenarioAloneAsksForItsTests) {
  files.write("s.toml", scenario("reduce"));
  EXPECT_THAT(verify("s.toml"), ElementsAre("FAIL scenario s.toml"));
  EXPECT_THAT(problems, ElementsAre("s.toml:4:1: error: test 'reduce' is not defined: no directory of tests was given "
                                    "(--tests-dir)."));
}

TEST_F(Verify, SeveralPathsAreOneSetOfFilesEachOnce) {
  files.write("a/reduce.toml", fixture::reduce_test);
  files.write("b/s.toml", scenario("reduce"));
  EXPECT_THAT(verify(VerifyPaths{{"b", "a/reduce.toml", "./a"}, {}, {}}),
              ElementsAre("OK test a/reduce.toml", "OK scenario b/s.toml"));
  EXPECT_THAT(verify(VerifyPaths{{"a", "nowhere"}, {}, {}}), ElementsAre("nowhere does not exist."));
}

TEST_F(Verify, EveryFileIsListedAndOneBadOneHidesNoOther) {
  files.write("c/system/good.toml", fixture::good_system);
  files.write("c/test/bad.toml", "name = \n");
  files.write("c/test/empty.toml", "");
  files.write("c/test/reduce.toml", fixture::reduce_test);
  files.write("c/test_scenario/s.toml", scenario("reduce"));
  files.write("c/hook/h.toml", "name = \"h\"\n[[Tests]]\nid = \"1\"\ntest_name = \"own\"\n");
  files.write("c/hook/test/own.toml", "name = \"own\"\ndescription = \"d\"\ntest_template_name = \"Open\"\n");
  files.write("c/readme.md", "= no TOML");
  EXPECT_THAT(verify("c"),
              ElementsAre("OK hook c/hook/h.toml", "OK test c/hook/test/own.toml", "OK system c/system/good.toml",
                          "FAIL unknown c/test/bad.toml", "FAIL unknown c/test/empty.toml",
                          "OK test c/test/reduce.toml", "OK scenario c/test_scenario/s.toml"));
  EXPECT_THAT(problems, ElementsAre(StartsWith("c/test/bad.toml:1:8: error: this is not valid TOML: "),
                                    "c/test/empty.toml: error: the file is of an unknown kind: it has no keys."));
}

TEST_F(Verify, KindComesFromTheParsedKeysAlone) {
  files.write("t.toml",
              "name = \"t\"\ndescription = \"d\"\ntest_template_name = \"Open\"\n# scheduler = \"slurm\"\n"
              "[cmd_args]\nscheduler = \"x\"\nnote = \"set scheduler = slurm, [[Tests]]\"\n");
  EXPECT_THAT(verify("t.toml"), ElementsAre("OK test t.toml"));
}

TEST_F(Verify, UnknownKindSaysWhatTheFileHasAndWhatWouldMakeAKind) {
  files.write("u.toml", "name = \"s\"\n[[tests]]\nid = \"a\"\n");
  EXPECT_THAT(verify("u.toml"), ElementsAre("FAIL unknown u.toml"));
  EXPECT_THAT(
      problems,
      ElementsAre(
          "u.toml: error: the file is of an unknown kind: a system has the key 'scheduler', a scenario 'Tests' and "
          "a test 'test_template_name'; this file has 'name', 'tests'. Did you mean 'Tests'?"));
}

TEST_F(Verify, TestsOfAScenarioComeFromTheOptionOrItsNeighbourhood) {
  files.write("c/all/reduce.toml", fixture::reduce_test);
  files.write("c/s/s.toml", scenario("reduce"));
  EXPECT_THAT(verify("c"), testing::Contains("OK scenario c/s/s.toml"));
  files.write("c/s/test/other.toml", "name = \"other\"\ndescription = \"d\"\ntest_template_name = \"Open\"\n");
  EXPECT_THAT(verify("c/s"), testing::Contains("FAIL scenario c/s/s.toml"));
  EXPECT_THAT(problems, ElementsAre("c/s/s.toml:4:1: error: test 'reduce' is not defined in c/s/test."));
  EXPECT_THAT(verify(VerifyPaths{{"c/s"}, "c/all", {}}), testing::Contains("OK scenario c/s/s.toml"));
  files.write("c/test/reduce.toml", fixture::reduce_test);
  EXPECT_THAT(verify("c/s/s.toml"), ElementsAre("OK scenario c/s/s.toml"));
}

// The same names in a folder of hooks and in the tests are no trouble.
TEST_F(Verify, TestsOfHooksAreNotMixedWithTheOthers) {
  files.write("c/all/reduce.toml", fixture::reduce_test);
  files.write("c/hook/test/reduce.toml", fixture::reduce_test);
  files.write("c/s.toml", "prologue = \"h\"\n" + scenario("reduce"));
  files.write("c/hook/h.toml", "name = \"h\"\n[[Tests]]\nid = \"1\"\ntest_name = \"reduce\"\n");
  verify("c");
  EXPECT_THAT(problems, IsEmpty());
  files.write("c/hook/h.toml", "name = \"h\"\nprologue = \"h\"\n[[Tests]]\nid = \"1\"\ntest_name = \"reduce\"\n");
  EXPECT_THAT(verify("c"), ElementsAre("OK test c/all/reduce.toml", "FAIL hook c/hook/h.toml",
                                       "OK test c/hook/test/reduce.toml", "FAIL scenario c/s.toml"));
}

// Files are read once for all scenarios; what one of them uses says nothing of the next.
TEST_F(Verify, ScenariosThatShareTestsAreJudgedEachByItself) {
  files.write("c/test/bad.toml", "name = \"bad\"\ndescription = \"d\"\ntest_template_name = \"Absent\"\n");
  files.write("c/test/reduce.toml", fixture::reduce_test);
  files.write("c/hook/h.toml", "name = \"h\"\n[[Tests]]\nid = \"1\"\ntest_name = \"own\"\n");
  files.write("c/hook/test/own.toml", "name = \"own\"\ndescription = \"d\"\ntest_template_name = \"Open\"\n");
  for (const char* name : {"1", "3"}) files.write(std::string("c/s/") + name + ".toml", scenario("reduce"));
  files.write("c/s/2.toml", "prologue = \"h\"\n" + scenario("bad"));
  files.write("c/s/4.toml", "prologue = \"h\"\n" + scenario("reduce"));
  EXPECT_THAT(verify("c"),
              ElementsAre("OK hook c/hook/h.toml", "OK test c/hook/test/own.toml", "OK scenario c/s/1.toml",
                          "FAIL scenario c/s/2.toml", "OK scenario c/s/3.toml", "OK scenario c/s/4.toml",
                          "FAIL test c/test/bad.toml", "OK test c/test/reduce.toml"));
}

TEST_F(Verify, ModulesThatAreMissingHaveACodeAndTheRestIsChecked) {
  files.write("system.toml",
              "name = \"x\"\nscheduler = \"slurm\"\ninstall_path = \"i\"\noutput_path = \"o\"\nmax_parallel = 0\n");
  files.write("test.toml", "name = \"t\"\ndescription = \"d\"\ntest_template_name = \"Absent\"\nnsys = 1\n");
  EXPECT_THAT(verify("."), ElementsAre("FAIL system system.toml", "FAIL test test.toml"));
  EXPECT_THAT(codes, ElementsAre("module_missing", "", "module_missing", ""));
  EXPECT_THAT(problems, ElementsAre(StartsWith("system.toml:2:1: error: no module provides scheduler 'slurm'."),
                                    "system.toml:5:1: error: 'max_parallel': found the integer 0, expected at least 1.",
                                    StartsWith("test.toml:3:1: error: no module provides workload 'Absent'."),
                                    "test.toml:4:1: error: 'nsys': found the integer 1, expected a table."));
}

TEST_F(Verify, WrongUseIsAnError) {
  EXPECT_THAT(verify("nowhere"), ElementsAre("nowhere does not exist."));
  files.write("d/x.txt", "");
  EXPECT_THAT(verify("d"), ElementsAre("there is no *.toml, *.yaml or *.yml file in d."));
  EXPECT_THAT(verify(VerifyPaths{{"d"}, "nowhere", {}}), ElementsAre("nowhere is not a directory."));
  EXPECT_THAT(verify(VerifyPaths{{"d"}, {}, "d/x.txt"}), ElementsAre("d/x.txt is not a directory."));
}

}  // namespace
}  // namespace cloudai::config
