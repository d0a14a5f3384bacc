// The framing of messages between the core and a child, and the words for how a child ended.
#include <gmock/gmock.h>

#include "core/module/crash_text.hpp"
#include "core/module/message.hpp"

namespace cloudai::module {
namespace {

using namespace std::chrono_literals;

TEST(Messages, ArriveWholeHoweverTheyAreCut) {
  const std::string wire =
      encoded({{"type", "call"}, {"function", "plan"}}, "{\"a\":1}") + encoded({{"type", "cancel"}}, "");
  MessageReader reader(100);
  std::vector<std::string> seen;
  for (const char byte : wire) {
    reader.append({&byte, 1});
    const auto message = reader.next();
    ASSERT_TRUE(message);
    if (*message) seen.push_back((*message)->type() + " " + (*message)->text);
  }
  EXPECT_THAT(seen, testing::ElementsAre("call {\"a\":1}", "cancel "));
}

TEST(Messages, WhatIsNoneIsSaid) {
  const auto error_of = [](std::string wire) {
    MessageReader reader(100);
    reader.append(wire);
    const auto message = reader.next();
    return message ? std::string("none") : message.error();
  };
  EXPECT_EQ(error_of("Hello, core! I am a module."), "is too long");
  EXPECT_EQ(error_of(encoded({{"type", "reply"}}, std::string(101, 'x'))), "is too long");
  EXPECT_EQ(error_of(encoded(Json::array(), "")), "has no type");
  EXPECT_EQ(error_of(encoded({{"type", 7}}, "")), "has no type");
  EXPECT_EQ(error_of(std::string("\2\0\0\0\0\0\0\0{x", 10)), "is not valid JSON (at byte 2)");
}

TEST(CrashText, NamesThePlaceAsFarAsTheRequestTells) {
  EXPECT_EQ(place_of_call("poll", {{"ids", {"7"}}}), "in poll()");
  EXPECT_EQ(place_of_call("plan", Json::array()), "in plan()");
  EXPECT_EQ(place_of_call("plan", {{"case", "a"}, {"iteration", 2}}), "in plan() of run a/2");
  EXPECT_EQ(place_of_call("evaluate",
                          {{"case", "a"}, {"iteration", 0}, {"stage", {{"kind", "prologue"}, {"name", "check"}}}}),
            "in evaluate() of prologue check of run a/0");
  EXPECT_EQ(place_of_call("render", {{"runs", {{{"id", "a/0"}}}}}), "in render() of run a/0");
  EXPECT_EQ(place_of_call("render", {{"runs", {{{"id", "a/0"}}, {{"id", "a/1"}}}}}), "in render()");
}

TEST(CrashText, NamesTheLimit) {
  const auto text = [](std::chrono::milliseconds limit) {
    return crash_error("M", "in plan()", {ChildEnd::Kind::overdue, 0}, limit).message;
  };
  EXPECT_EQ(text(60s), "M had not come back after 60 s in plan(); its process was killed.");
  EXPECT_EQ(text(10min), "M had not come back after 10 min in plan(); its process was killed.");
  EXPECT_EQ(text(24h), "M had not come back after 24 h in plan(); its process was killed.");
  EXPECT_EQ(text(1500ms), "M had not come back after 1500 ms in plan(); its process was killed.");
}

TEST(CrashText, TellsACrashFromAKill) {
  const auto error = [](int signal) { return crash_error("M", "in plan()", {ChildEnd::Kind::signalled, signal}, 1s); };
  EXPECT_EQ(error(SIGBUS).message, "M crashed (SIGBUS) in plan().");
  EXPECT_EQ(error(SIGTERM).message, "M was killed (SIGTERM) in plan().");
  EXPECT_EQ(error(SIGKILL).hint, "Somebody killed its process, or the kernel did for want of memory.");
}

}  // namespace
}  // namespace cloudai::module
