// What a gate finds in a file is the same with and without a shell.
#include "cloudai/text_in_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "cloudai/stage_script.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai {
namespace {

class TextInFile : public ::testing::Test {
 protected:
  bool holds(std::string_view text) const { return file_holds(directory_.path() / "out", text); }

  // What the function of the scripts says.
  bool shell_holds(const std::string& text) const {
    directory_.write("gate.sh", std::string(gate_functions) + "directory=" + literal_word(directory_.path().string()) +
                                    "\nholds out " + literal_word(text) + "\n");
    return std::system(("bash " + literal_word((directory_.path() / "gate.sh").string())).c_str()) == 0;
  }

  testing::TemporaryDirectory directory_;
};

TEST_F(TextInFile, IsFoundAsAShellFindsIt) {
  using namespace std::string_literals;
  const std::vector<std::string> contents = {"",
                                             "\n",
                                             "\n\n",
                                             "abc",
                                             "abc\n",
                                             "xabc\ndef\n\n\n",
                                             "a\0bc\nd"s,
                                             "\xff\xfe"
                                             "abc",
                                             "ab\nc",
                                             "a.c\n",
                                             "\nabc",
                                             "abc\ndef",
                                             "a\nb\n\n\nc"};
  const std::vector<std::string> texts = {"",   "abc",  "a.c",   "-abc",  "b",        "c\nd", "abc\ndef", "abc\n",
                                          "\n", "\n\n", "\nabc", "bc\nd", "b\n\n\nc", "\xff", "*",        "def\n"};
  for (const std::string& content : contents) {
    directory_.write("out", content);
    for (const std::string& text : texts) {
      EXPECT_EQ(holds(text), shell_holds(text))
          << Json({content, text}).dump(-1, ' ', true, Json::error_handler_t::replace);
    }
  }
}

TEST_F(TextInFile, IsFoundAcrossThePiecesAFileIsReadIn) {
  for (const std::size_t size : {65530U, 65534U, 65536U, 131070U}) {
    directory_.write("out", std::string(size, '\n') + "needle\nin hay\n");
    EXPECT_TRUE(holds("needle")) << size;
    EXPECT_TRUE(holds("\n\nneedle\nin")) << size;
    EXPECT_FALSE(holds("hay\n")) << size;
    EXPECT_FALSE(holds("needles")) << size;
  }
}

TEST_F(TextInFile, IsInNothingThatIsNoFile) {
  EXPECT_FALSE(holds("x"));
  ::mkdir((directory_.path() / "out").c_str(), 0700);
  EXPECT_FALSE(holds(""));
  ::rmdir((directory_.path() / "out").c_str());
  ::mkfifo((directory_.path() / "out").c_str(), 0600);
  EXPECT_FALSE(holds("")) << "and nobody waits for who writes into it";
}

}  // namespace
}  // namespace cloudai
