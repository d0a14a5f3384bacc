// What a person at a terminal sees while tests run; and that others do not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/end_to_end/screen.hpp"
#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// Two tests one after the other; each goes on when its marker is there.
void write_waiting(const Workspace& workspace, const std::string& id = "Tests.1") {
  workspace.system("monitor_interval = 0.2\n");
  workspace.test("first", "while [ ! -e \"$MARKS/first\" ]; do sleep 0.05; done");
  workspace.test("second", "while [ ! -e \"$MARKS/second\" ]; do sleep 0.05; done");
  workspace.scenario(test_case(id, "first") + test_case("Tests.2", "second") + after(id));
}

void go_on(const Workspace& workspace, const std::string& test) {
  workspace.write("marks/" + test, "");
}

bool has_shown(TerminalProgram& program, const std::string& text) {
  return eventually([&] {
    for (const std::string& line : live_lines(program.output())) {
      if (line.find(text) != std::string::npos) return true;
    }
    return false;
  });
}

TEST(Terminal, HasALiveLineThatIsGoneInTheEnd) {
  const Workspace workspace;
  write_waiting(workspace);
  const auto program = workspace.start_on_terminal(workspace.command("run"), 100);
  EXPECT_TRUE(has_shown(*program, "0 of 2 done, 1 running, 1 waiting | Tests.1")) << program->output();
  go_on(workspace, "first");
  EXPECT_TRUE(has_shown(*program, "1 of 2 done (1 passed), 1 running | Tests.2")) << program->output();
  go_on(workspace, "second");
  EXPECT_EQ(program->wait(), 0) << program->output();
  EXPECT_THAT(live_lines(program->output()), Each(StartsWith("[00:00:")));

  const auto lines = screen(program->output(), 10000);
  EXPECT_THAT(lines, Each(Not(HasSubstr("of 2 done"))));
  for (const char* line : {"[INFO] Job completed: Tests.1 (iteration 1 of 1)", "[INFO] Starting test: Tests.2",
                           "[INFO] Job completed: Tests.2 (iteration 1 of 1)", "Tests.1  PASSED", "2 passed"}) {
    EXPECT_THAT(lines, Contains(StartsWith(line)));
  }
}

TEST(Terminal, TheLineFitsItsWidthAsThatIsNow) {
  const Workspace workspace;
  write_waiting(workspace);
  const auto program = workspace.start_on_terminal(workspace.command("run"), 40);
  EXPECT_TRUE(has_shown(*program, "0 of 2 done, 1 running, 1...")) << program->output();
  for (const auto& line : live_lines(program->output())) EXPECT_LE(line.size(), 39U) << line;
  program->resize(25);
  EXPECT_TRUE(eventually([&] { return live_lines(program->output()).back().size() == 24; })) << program->output();
  EXPECT_THAT(live_lines(program->output()).back(), testing::EndsWith("..."));
  program->resize(100);
  EXPECT_TRUE(has_shown(*program, "0 of 2 done, 1 running, 1 waiting | Tests.1")) << program->output();
  for (const char* test : {"first", "second"}) go_on(workspace, test);
  EXPECT_EQ(program->wait(), 0);
}

TEST(Terminal, AWideNameIsCutBetweenItsCharacters) {
  const Workspace workspace;
  write_waiting(workspace, "試験試験試験試験");
  // "[00:00:00] 0 of 2 done, 1 running, 1 waiting | " has 47 columns; 3 characters and "..." take 9 of the next 10.
  const auto program = workspace.start_on_terminal(workspace.command("run"), 58);
  EXPECT_TRUE(has_shown(*program, "1 running, 1 waiting | 試験試...")) << program->output();
  EXPECT_THAT(live_lines(program->output()), Each(Not(HasSubstr("試験試験"))));
  for (const char* test : {"first", "second"}) go_on(workspace, test);
  EXPECT_EQ(program->wait(), 0);
}

TEST(Terminal, ThatIsDumbGetsPlainLines) {
  for (const char* term : {"dumb", ""}) {
    const Workspace workspace;
    write_waiting(workspace);
    for (const char* test : {"first", "second"}) go_on(workspace, test);
    const auto program = workspace.start_on_terminal(workspace.command("run"), 80, {{"TERM", term}});
    EXPECT_EQ(program->wait(), 0);
    EXPECT_THAT(program->output(), Not(HasSubstr("\033")));
    EXPECT_THAT(program->output(), HasSubstr("[INFO] Job completed: Tests.2 (iteration 1 of 1)\r\n"));
  }
}

TEST(Terminal, HasColourUnlessNoColorIsSet) {
  const Workspace workspace;
  write_waiting(workspace);
  for (const char* test : {"first", "second"}) go_on(workspace, test);
  const auto coloured = workspace.start_on_terminal(workspace.command("run"), 80);
  EXPECT_EQ(coloured->wait(), 0);
  EXPECT_THAT(coloured->output(), HasSubstr("\033[1;32mPASSED\033[0m"));
  const auto plain = workspace.start_on_terminal(workspace.command("run"), 80, {{"NO_COLOR", "1"}});
  EXPECT_EQ(plain->wait(), 0);
  EXPECT_THAT(plain->output(), Not(HasSubstr("\033[1;")));
  EXPECT_THAT(live_lines(plain->output()), Not(IsEmpty()));
}

TEST(Terminal, QuietIsWithoutTheLine) {
  const Workspace workspace;
  write_waiting(workspace);
  for (const char* test : {"first", "second"}) go_on(workspace, test);
  const auto program = workspace.start_on_terminal(workspace.command("run", {"--quiet"}), 80);
  EXPECT_EQ(program->wait(), 0);
  EXPECT_THAT(live_lines(program->output()), IsEmpty());
  EXPECT_THAT(program->output(), Not(HasSubstr("[INFO]")));
  EXPECT_THAT(program->output(), HasSubstr("2 passed"));
}

// The second signal leaves at once: even then the prompt of the shell must not stand behind a live line.
TEST(Terminal, TheLineIsGoneAfterInterrupts) {
  const Workspace workspace;
  write_waiting(workspace);
  const auto program = workspace.start_on_terminal(workspace.command("run"), 100);
  EXPECT_TRUE(has_shown(*program, "1 running")) << program->output();
  program->type("\x03");
  EXPECT_TRUE(eventually([&] { return program->output().find("Signal 2 received") != std::string::npos; }));
  program->type("\x03");
  EXPECT_EQ(program->wait(), 130) << program->output();
  EXPECT_THAT(screen(program->output(), 10000).back(), AnyOf("", "^C"));
}

}  // namespace
}  // namespace end_to_end
