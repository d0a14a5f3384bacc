// `cloudai list`: the names that configuration files may use.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> names_in(const Json& document, const std::string& kind) {
  std::vector<std::string> names;
  for (const Json& entry : document.at(kind)) {
    names.push_back(entry.at("name"));
    for (const char* key : {"description", "module", "version", "path"}) EXPECT_NE(entry.at(key), "") << key;
  }
  return names;
}

TEST(List, NamesWhatThereIsOfEachKind) {
  const Workspace workspace;
  const std::vector<std::pair<std::string, std::vector<std::string>>> kinds = {
      {"reports", {"csv", "html", "junit", "markdown", "tarball"}},
      {"workloads", {"BashCmd", "NcclTest", "Sleep"}},
      {"schedulers", {"standalone"}}};
  for (const auto& [kind, names] : kinds) {
    const auto plain = workspace.cloudai({"list", kind});
    EXPECT_EQ(plain.exit_status, 0) << plain.err;
    EXPECT_THAT(plain.out, StartsWith("NAME"));
    for (const auto& name : names) EXPECT_THAT(plain.out, HasSubstr("\n" + name + " "));
    EXPECT_EQ(plain.err, "");
    const auto json = workspace.cloudai({"list", kind, "--json"});
    EXPECT_EQ(json.exit_status, 0) << json.err;
    EXPECT_THAT(names_in(Json::parse(json.out), kind), IsSupersetOf(names));
  }
}

TEST(List, SaysThatThereAreNoAgents) {
  const Workspace workspace;
  const auto plain = workspace.cloudai({"list", "agents"});
  EXPECT_EQ(plain.exit_status, 0);
  EXPECT_EQ(plain.out, "There are no agents: this version does not search a range of values.\n");
  EXPECT_EQ(workspace.cloudai({"list", "agents", "--json"}).out, "{\n  \"agents\": []\n}\n");
}

TEST(List, ShowsTheModulesOfTheSearchPath) {
  const Workspace workspace;
  const auto fixture = read(build_directory() / "tests/fixtures/module/failing_reporter.so");
  ASSERT_NE(fixture, "");
  workspace.write("modules/failing_reporter.so", fixture);
  // The option may stand on either side of the command.
  const Arguments option{"--module-path", (workspace.root() / "modules").string()};
  EXPECT_THAT(workspace.cloudai({"list", "reports", option[0], option[1]}).out, HasSubstr("\nfailing "));
  EXPECT_THAT(workspace.cloudai({option[0], option[1], "list", "reports"}).out, HasSubstr("\nfailing "));
  EXPECT_THAT(workspace.cloudai({"list", "reports"}).out, Not(HasSubstr("failing")));
}

TEST(List, OfAnUnknownKindNamesTheNearest) {
  const Workspace workspace;
  const auto ended = workspace.cloudai({"list", "report"});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("unknown command 'report'. Did you mean 'reports'?"),
                               HasSubstr("Try 'cloudai list --help' for help.")));
}

TEST(List, SaysWhenStdoutTakesNothing) {
  const Workspace workspace;
  const Launch launch{
      {"bash", "-c", "exec \"$0\" list workloads > /dev/full", (build_directory() / "bin/cloudai").string()},
      workspace.root(),
      {}};
  const auto ended = Program(launch, workspace.root() / "scratch").wait();
  EXPECT_EQ(ended.exit_status, 3);
  EXPECT_EQ(ended.err, "[ERROR] The output could not be written to stdout: No space left on device.\n");
}

}  // namespace
}  // namespace end_to_end
