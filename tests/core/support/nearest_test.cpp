#include "core/support/nearest.hpp"

#include <gtest/gtest.h>

namespace cloudai {
namespace {

const std::vector<std::string> options = {"ngpus", "nthreads", "minbytes", "maxbytes"};

TEST(Nearest, FindsAMisspeltName) {
  EXPECT_EQ(nearest_name("ngpuz", options), "ngpus");
  EXPECT_EQ(nearest_name("nthraeds", options), "nthreads");
  EXPECT_EQ(nearest_name("MINBYTES", options), "minbytes");
}

TEST(Nearest, DoesNotOfferWhatIsFarAway) {
  EXPECT_EQ(nearest_name("datatype", options), std::nullopt);
  EXPECT_EQ(nearest_name("x", {"a"}), std::nullopt);
  EXPECT_EQ(nearest_name("", options), std::nullopt);
  EXPECT_EQ(nearest_name("ngpus", {}), std::nullopt);
}

TEST(Nearest, TheClosestWinsOverTheFirst) {
  EXPECT_EQ(nearest_name("maxbyte", options), "maxbytes");
}

TEST(Nearest, IsASentenceOrNothing) {
  EXPECT_EQ(did_you_mean("ngpuz", options), ". Did you mean 'ngpus'?");
  EXPECT_EQ(did_you_mean("zzzzzzzz", options), "");
}

TEST(Nearest, DoesNotCompareEndlessNames) {
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'n'), options), std::nullopt);
}

}  // namespace
}  // namespace cloudai
