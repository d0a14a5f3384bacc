#include <gmock/gmock.h>

#include "tests/runai_simulator/query.hpp"

namespace runai_simulator {
namespace {

using ::testing::ElementsAre;

const ListRules rules{"things", {"name", "size"}};

std::vector<Json> things(int count) {
  std::vector<Json> list;
  for (int i = 0; i < count; ++i) list.push_back({{"name", "thing-" + std::to_string(i)}, {"size", i}});
  return list;
}

Json listed(const std::string& query, int count = 12) {
  return Json::parse(list_answer(things(count), query, rules).body);
}

std::vector<std::string> names(const std::string& query, int count = 12) {
  std::vector<std::string> result;
  const auto answer = listed(query, count);
  for (const auto& item : answer.value("things", Json::array())) result.push_back(item["name"]);
  return result;
}

TEST(SimulatorQuery, PagesFollowNext) {
  auto page = listed("", 120);
  EXPECT_EQ(page["things"].size(), 50U);
  EXPECT_EQ(page["next"], 50);
  page = listed("offset=100&limit=50", 120);
  EXPECT_EQ(page["things"].size(), 20U);
  EXPECT_FALSE(page.contains("next"));
  EXPECT_TRUE(listed("offset=500", 120)["things"].empty());
  EXPECT_FALSE(listed("limit=120", 120).contains("next"));
}

TEST(SimulatorQuery, LimitsOutOfBoundsAreRefused) {
  for (const auto* query :
       {"limit=0", "limit=501", "limit=many", "offset=-1", "sortOrder=up", "sortBy=colour", "filterBy=colour==red",
        "filterBy=name", "filterBy=name~x",
        "filterBy=name!=a,name!=b,name!=c,name!=d,name!=e,name!=f,name!=g,name!=h,name!=i,name!=j,name!=k"}) {
    EXPECT_EQ(list_answer(things(1), query, rules).status, 400) << query;
  }
  EXPECT_EQ(list_answer(things(1), "limit=500", rules).status, 200);
}

TEST(SimulatorQuery, FiltersJoinWithCommas) {
  EXPECT_THAT(names("filterBy=name==thing-3"), ElementsAre("thing-3"));
  EXPECT_THAT(names("filterBy=name%3D%5Ething-1%2Cname!=thing-1"), ElementsAre("thing-10", "thing-11"));
  EXPECT_THAT(names("filterBy=name=$g-2"), ElementsAre("thing-2"));
  EXPECT_THAT(names("filterBy=name!@thing"), ElementsAre());
  EXPECT_THAT(names("filterBy=size>=10,size<=10"), ElementsAre("thing-10"));
  EXPECT_THAT(names("search=g-1&limit=2"), ElementsAre("thing-1", "thing-10"));
}

TEST(SimulatorQuery, OrderIsAsAsked) {
  EXPECT_THAT(names("sortBy=name&sortOrder=desc&limit=2", 3), ElementsAre("thing-2", "thing-1"));
  auto newest_first = rules;
  newest_first.descending = true;
  EXPECT_EQ(Json::parse(list_answer(things(3), "", newest_first).body)["things"][0]["name"], "thing-2");
  EXPECT_EQ(Json::parse(list_answer(things(3), "sortOrder=asc", newest_first).body)["things"][0]["name"], "thing-0");
}

}  // namespace
}  // namespace runai_simulator
