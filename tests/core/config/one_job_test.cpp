#include "core/config/one_job.hpp"

#include <gmock/gmock.h>

#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class OneJob : public fixture::ConfigTest {
 protected:
  OneJob() { files.write("system.toml", fixture::cluster_system); }

  // What is wrong with the scenario of these tests.
  std::vector<std::string> check(const std::string& tests) {
    const auto configuration = load_scenario("name = \"s\"\n" + tests);
    if (!configuration) return problems;
    const module::Catalogue catalogue = fixture::modules();
    const auto scheduler = catalogue.find(module::scheduler_interface, configuration->system.scheduler);
    Diagnostics diagnostics;
    check_one_job(*configuration, *scheduler->provided, diagnostics);
    return fixture::shown(diagnostics);
  }

  static std::string test(const std::string& id, const std::string& more = "") {
    return "[[Tests]]\nid = \"" + id + "\"\ntest_name = \"reduce\"\n" + more;
  }
  static std::string dependency(const std::string& type, const std::string& id) {
    return "[[Tests.dependencies]]\ntype = \"" + type + "\"\nid = \"" + id + "\"\n";
  }
};

TEST_F(OneJob, TakesTestsThatFollowEachOtherOnTheSameNodes) {
  EXPECT_THAT(check(test("A", "num_nodes = 2\niterations = 3\n") + test("B", "exclude_nodes = [\"n9\"]\n") +
                    dependency("start_post_comp", "A")),
              IsEmpty());
  EXPECT_THAT(
      check(test("A", "nodes = [\"n[1-2]\"]\n") + test("B", "num_nodes = 2\n") + test("C", "nodes = [\"n[1-2]\"]\n")),
      IsEmpty());
  EXPECT_THAT(check(test("A", "nodes = [\"main:g:2\"]\n") + test("B", "nodes = [\"main:g:max_avail\"]\n") +
                    test("C", "num_nodes = 900\n")),
              IsEmpty());
}

TEST_F(OneJob, RefusesTestsThatRunBesideOthers) {
  EXPECT_THAT(
      check(test("A") + test("B", dependency("start_post_init", "A")) + test("C", dependency("end_post_comp", "A"))),
      ElementsAre("scenario.toml:8:1: error: test 'B' is to run beside 'A' (start_post_init), but with "
                  "--single-sbatch all tests are one job and run one after the other; only start_post_comp is "
                  "possible there.",
                  "scenario.toml:14:1: error: test 'C' is to run beside 'A' (end_post_comp), but with "
                  "--single-sbatch all tests are one job and run one after the other; only start_post_comp is "
                  "possible there."));
}

TEST_F(OneJob, RefusesOtherNodesAndMoreThanThereAre) {
  EXPECT_THAT(
      check(test("A", "nodes = [\"n1\", \"n2\"]\n") + test("B", "nodes = [\"n2\"]\n") + test("C", "num_nodes = 3\n")),
      ElementsAre("scenario.toml:6:1: error: test 'B' is to run on \"n2\" and test 'A' on \"n1\", \"n2\", but "
                  "with --single-sbatch all tests run on the same nodes.",
                  "scenario.toml:10:1: error: test 'C' asks for 3 nodes, but with --single-sbatch all tests run "
                  "on those of test 'A', \"n1\", \"n2\", which are 2."));
  EXPECT_THAT(check(test("A", "nodes = [\"main:g:2\"]\n") + test("B", "nodes = [\"main:h:2\"]\n")),
              ElementsAre("scenario.toml:6:1: error: test 'B' is to run on \"main:h:2\" and test 'A' on \"main:g:2\", "
                          "but with --single-sbatch all tests run on the same nodes."));
}

TEST_F(OneJob, RefusesASchedulerThatRunsEachTestByItself) {
  files.write("system.toml", fixture::good_system);
  EXPECT_THAT(check(test("A") + test("B", dependency("start_post_init", "A"))),
              ElementsAre((files.root() / "system.toml").string() +
                          ": error: --single-sbatch asks for one job of all tests, but scheduler 'standalone' "
                          "can only run each test as a job of its own (it lacks the capability 'several_runs')."));
}

}  // namespace
}  // namespace cloudai::config
