#include "core/config/file_names.hpp"

#include <gtest/gtest.h>

namespace cloudai::config {
namespace {

TEST(FileNames, SlashesAndControlCharactersAreFaults) {
  EXPECT_EQ(fault_as_part_of_file_name("a/b"), "contains a slash");
  EXPECT_EQ(fault_as_part_of_file_name("a\nb"), "contains a control character");
  EXPECT_EQ(fault_as_part_of_file_name("a\x7f"), "contains a control character");
  EXPECT_EQ(fault_as_part_of_file_name(""), "is empty");
  EXPECT_EQ(fault_as_part_of_file_name("  "), "is empty");
  EXPECT_EQ(fault_as_part_of_file_name(std::string(201, 'x')), "is longer than 200 bytes");
}

TEST(FileNames, OtherCharactersAreLegal) {
  for (const char* name : {"nemo2.0 fp8: <final> & \"x\"", "größe-α", "..", ".x", "it's"}) {
    EXPECT_EQ(fault_as_part_of_file_name(name), "") << name;
  }
  EXPECT_EQ(fault_as_directory_name("Tests.1 <&'\">"), "");
}

TEST(FileNames, DirectoriesHaveNoLeadingDot) {
  EXPECT_EQ(fault_as_directory_name(".."), "begins with a dot");
  EXPECT_EQ(fault_as_directory_name(".hidden"), "begins with a dot");
  EXPECT_EQ(fault_as_directory_name("../x"), "contains a slash");
}

}  // namespace
}  // namespace cloudai::config
