#include "modules/workloads/nccl_test/phrase_finder.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cloudai::nccl_test {
namespace {

TEST(PhraseFinder, FindsWhatASearchForEachFinds) {
  const std::vector<std::string_view> phrases{"abab", "bb", "aabba"};
  const PhraseFinder finder(phrases);
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text(random() % 12, 'a');
    for (char& c : text) c = static_cast<char>('a' + random() % 3);
    std::uint32_t expected = 0;
    for (std::size_t phrase = 0; phrase < phrases.size(); ++phrase) {
      if (text.find(phrases[phrase]) != std::string::npos) expected |= 1U << phrase;
    }
    ASSERT_EQ(finder.occurring(text), expected) << text;
  }
}

TEST(PhraseFinder, AnyByteMayStandAround) {
  const PhraseFinder finder({"Avg bus bandwidth", " failure"});
  EXPECT_EQ(finder.occurring(""), 0U);
  EXPECT_EQ(finder.occurring("failure"), 0U);
  EXPECT_EQ(finder.occurring("\xff\x80# Avg bus bandwidth\xff Test failure"), 3U);
}

}  // namespace
}  // namespace cloudai::nccl_test
