#include <gtest/gtest.h>

#include "web_socket_frames.hpp"

namespace runai {
namespace {

class FramesTest : public ::testing::Test {
 protected:
  std::string data_;
  std::string pings_;
  WebSocketFrames frames_{{[this](std::string_view text) { data_ += text; },
                           [this](std::string_view text) { pings_ += std::string(text) + ";"; }}};
};

std::string frame(int first, const std::string& payload) {
  std::string text(1, static_cast<char>(first));
  if (payload.size() < 126) {
    text += static_cast<char>(payload.size());
  } else {
    text += static_cast<char>(126);
    text += static_cast<char>(payload.size() >> 8U);
    text += static_cast<char>(payload.size() & 0xffU);
  }
  return text + payload;
}

TEST_F(FramesTest, TextsAndBinariesInFragmentsWithAPingBetweenThem) {
  const std::string half = "gr\xc3";  // a message may end inside a character
  frames_.feed(frame(0x81, half) +
               frame(0x82,
                     "\xb6\xc3\x9f"
                     "e") +
               frame(0x01, "a") + frame(0x89, "are you there") + frame(0x80, "b"));
  EXPECT_EQ(data_, "größeab");
  EXPECT_EQ(pings_, "are you there;");
  EXPECT_FALSE(frames_.is_over());
}

TEST_F(FramesTest, ArriveByteByByte) {
  const std::string bytes = frame(0x81, std::string(300, 'x')) + frame(0x81, "") + frame(0x88, "\x03\xe8");
  for (const char byte : bytes) frames_.feed({&byte, 1});
  EXPECT_EQ(data_, std::string(300, 'x'));
  EXPECT_EQ(frames_.closed(), 1000);
}

TEST_F(FramesTest, ACloseTellsItsCode) {
  frames_.feed(frame(0x88, "\x03\xf5goodbye") + frame(0x81, "more"));
  EXPECT_EQ(frames_.closed(), 1013);
  EXPECT_EQ(data_, "");
}

TEST_F(FramesTest, ACloseMayHaveNoCode) {
  frames_.feed(frame(0x88, ""));
  EXPECT_EQ(frames_.closed(), 1005);
}

struct Fault {
  std::string bytes;
  const char* text;
};
class FrameFaults : public FramesTest, public ::testing::WithParamInterface<Fault> {};

TEST_P(FrameFaults, AreNamed) {
  frames_.feed(GetParam().bytes);
  EXPECT_EQ(frames_.fault(), GetParam().text);
  frames_.feed(frame(0x81, "more"));
  EXPECT_EQ(data_, "");
}

INSTANTIATE_TEST_SUITE_P(All, FrameFaults,
                         ::testing::Values(Fault{std::string("\xc1\x01", 2) + "a",
                                                 "a frame uses an extension that was not agreed on"},
                                           Fault{std::string("\x81\x81", 2), "a frame of the server is masked"},
                                           Fault{std::string("\x83\x01", 2), "a frame has the unknown opcode 3"},
                                           Fault{std::string("\x89\x7e\x01\x00", 4), "a control frame is too long"},
                                           Fault{std::string("\x82\x7f\x00\x00\x01\x00\x00\x00\x00\x00", 10),
                                                 "a frame of 1099511627776 bytes is announced"}),
                         [](const auto& row) { return "Row" + std::to_string(row.index); });

TEST(ClientFrame, IsMasked) {
  EXPECT_EQ(client_frame(opcode_pong, "ab", 0x01020304), std::string("\x8a\x82\x01\x02\x03\x04") + "\x60\x60");
  EXPECT_EQ(client_frame(opcode_ping, "", 0), std::string("\x89\x80\0\0\0\0", 6));
}

}  // namespace
}  // namespace runai
