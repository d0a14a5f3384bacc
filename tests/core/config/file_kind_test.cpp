#include "core/config/file_kind.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Each file's text, in the place of the other.
class FilesOfOtherKinds : public fixture::ConfigTest {
 protected:
  const std::string scenario = "name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"reduce\"\n";
};

TEST_F(FilesOfOtherKinds, ASystemAndAScenarioThatAreSwappedAreOneErrorEach) {
  files.write("system.toml", scenario);
  EXPECT_FALSE(load_scenario(fixture::good_system));
  EXPECT_THAT(problems,
              ElementsAre("system.toml: error: found a scenario (it has the key 'Tests'), expected a system, which has "
                          "the key 'scheduler'. Give a scenario as --test-scenario.",
                          "scenario.toml: error: found a system (it has the key 'scheduler'), expected a scenario, "
                          "which has the key 'Tests'. Give a system as --system-config."));
}

TEST_F(FilesOfOtherKinds, ATestIsNoScenario) {
  EXPECT_FALSE(load_scenario(fixture::reduce_test));
  EXPECT_THAT(problems,
              ElementsAre("scenario.toml: error: found a test (it has the key 'test_template_name'), expected "
                          "a scenario, which has the key 'Tests'. Give the folder of the tests as "
                          "--tests-dir."));
}

TEST_F(FilesOfOtherKinds, AScenarioMayDefineItsTestsItself) {
  EXPECT_TRUE(load_scenario(scenario));
  EXPECT_THAT(problems, IsEmpty());
}

TEST_F(FilesOfOtherKinds, AFileWithoutAnyOfTheKeysIsCheckedAsWhatItIsGivenFor) {
  EXPECT_FALSE(load_scenario("name = \"s\"\n"));
  EXPECT_THAT(problems, testing::Not(testing::Contains(testing::HasSubstr("found a "))));
}

}  // namespace
}  // namespace cloudai::config
