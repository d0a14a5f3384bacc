// Two modules in one process, each with a JSON library of its own under the same names.
#include <gmock/gmock.h>

#include "tests/sdk/package/out_of_tree.hpp"

namespace sdk_package {
namespace {

using end_to_end::Json;
using testing::HasSubstr;

TEST(TwoModules, EachKeepsToItsOwnJsonLibrary) {
  const Workspace workspace;
  const auto prefix = install(workspace, "sdk");
  const auto project = end_to_end::source_directory() / "tests/sdk/package/two_json";
  const auto modules = build(workspace, prefix, project);
  const Ended ended = run_example(workspace, project, modules);
  ASSERT_EQ(ended.exit_status, 0) << ended.err;

  const auto facts_of = [&](const std::string& id) {
    const auto outcome = workspace.results() / workspace.run_of(id).at("outcome").get<std::string>();
    return Json::parse(end_to_end::read(outcome)).at("stages").at(0).at("outcome").at("facts");
  };
  const Json small = facts_of("Tests.1/0");
  const Json large = facts_of("Tests.2/0");
  EXPECT_LT(std::stoi(small.at("size").get<std::string>()), std::stoi(large.at("size").get<std::string>()));
  EXPECT_EQ(small.at("elements"), "1000");
  EXPECT_EQ(large.at("elements"), "1000");
  EXPECT_THAT(small.at("message").get<std::string>(), testing::Not(HasSubstr("/a/1/b")));
  EXPECT_THAT(large.at("message").get<std::string>(), HasSubstr("/a/1/b"));
  EXPECT_EQ(facts_of("Tests.3/0"), small);
}

}  // namespace
}  // namespace sdk_package
