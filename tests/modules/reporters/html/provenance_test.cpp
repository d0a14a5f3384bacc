#include "modules/reporters/html/provenance.hpp"

#include <gmock/gmock.h>

namespace cloudai::html {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

results::RunSummary run_on(const std::map<std::string, std::string>& drivers) {
  results::RunSummary run;
  for (const auto& [node, driver] : drivers) run.node_facts[node] = {{"driver", driver}, {"kernel", "6.1.0"}};
  return run;
}

TEST(NodeFacts, MarkWhatFewNodesHave) {
  NodeFacts nodes;
  nodes.add(run_on({{"n1", "550"}, {"n2", "535"}}));
  nodes.add(run_on({{"n1", "550"}, {"n3", "550"}}));
  const auto facts = nodes.facts();
  ASSERT_EQ(facts.size(), 2U);
  EXPECT_EQ(facts[0].name, "driver");
  ASSERT_EQ(facts[0].values.size(), 2U);
  EXPECT_EQ(facts[0].values[0].value, "550");
  EXPECT_THAT(facts[0].values[0].nodes, ElementsAre("n1", "n3"));
  EXPECT_FALSE(facts[0].values[0].differs);
  EXPECT_EQ(facts[0].values[1].value, "535");
  EXPECT_TRUE(facts[0].values[1].differs);
  EXPECT_EQ(facts[1].values.size(), 1U);
}

TEST(Provenance, SaysWhereTheNodesDiffer) {
  NodeFacts nodes;
  nodes.add(run_on({{"n1", "550"}, {"n2", "535"}}));
  results::Header header;
  header.cloudai_version = "1.2.3";
  header.arguments = {"cloudai", "run", "--filter", "a b"};
  const std::string section = provenance_section(header, nodes);
  EXPECT_THAT(section, HasSubstr("The nodes differ in one fact."));
  EXPECT_THAT(section, HasSubstr("cloudai run --filter &#39;a b&#39;"));
  EXPECT_THAT(provenance_section(header, {}), Not(HasSubstr("differ")));
}

}  // namespace
}  // namespace cloudai::html
