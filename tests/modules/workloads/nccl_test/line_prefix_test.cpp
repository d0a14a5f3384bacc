#include "modules/workloads/nccl_test/line_prefix.hpp"

#include <gtest/gtest.h>

namespace cloudai::nccl_test {
namespace {

std::string text_of(std::string_view raw) {
  std::string scratch;
  return std::string(content_of(raw, scratch).text);
}

bool is_stderr(std::string_view raw) {
  std::string scratch;
  return content_of(raw, scratch).is_stderr;
}

TEST(LinePrefix, TagsOfMpirun) {
  EXPECT_EQ(text_of("[1,0]<stdout>:# x"), "# x");
  EXPECT_EQ(text_of("[1,12]<stderr>:warning"), "warning");
  EXPECT_TRUE(is_stderr("[1,12]<stderr>:warning"));
  EXPECT_FALSE(is_stderr("[1,0]<stdout>:# x"));
  EXPECT_EQ(text_of("[1,x]<stdout>:# x"), "[1,x]<stdout>:# x");
  EXPECT_EQ(text_of("[0] NCCL INFO [1,0]<stdout>:"), "[0] NCCL INFO [1,0]<stdout>:");
}

TEST(LinePrefix, LabelsOfSrun) {
  EXPECT_EQ(text_of("0: # x"), "# x");
  EXPECT_EQ(text_of("  12:        8"), "       8");
  EXPECT_EQ(text_of("12:8"), "12:8");
  EXPECT_EQ(text_of("123456789: x"), "123456789: x");
  EXPECT_EQ(text_of("  8  2  float"), "  8  2  float");
}

TEST(LinePrefix, TimesAndPods) {
  EXPECT_EQ(text_of("2026-03-04T05:06:07.000000000Z   8"), "  8");
  EXPECT_EQ(text_of("2026-03-04T05:06:07+01:00 8"), "8");
  EXPECT_EQ(text_of("2026-03-04 05:06:07 8"), "2026-03-04 05:06:07 8");
  EXPECT_EQ(text_of("[pod/launcher-x/main] # x"), "# x");
  EXPECT_EQ(text_of("[pod/launcher-x main] # x"), "[pod/launcher-x main] # x");
  EXPECT_EQ(text_of("[pod/l/m] 2026-03-04T05:06:07Z [1,0]<stdout>:0: # x"), "# x");
}

TEST(LinePrefix, ControlCharacters) {
  EXPECT_EQ(text_of("\x1b[1;31mWARN\x1b[0m\r"), "WARN");
  EXPECT_EQ(text_of("\x1b["), "");
  EXPECT_EQ(text_of(""), "");
  EXPECT_EQ(text_of("a\tb"), "a\tb");
  EXPECT_EQ(text_of(std::string_view("12345678\0abc", 12)), "12345678abc");
  // At every place, be it read alone or with others.
  for (std::size_t at = 0; at < 20; ++at) {
    std::string line(20, '\xff');
    line[at] = '\x7f';
    EXPECT_EQ(text_of(line), std::string(19, '\xff')) << at;
  }
}

}  // namespace
}  // namespace cloudai::nccl_test
