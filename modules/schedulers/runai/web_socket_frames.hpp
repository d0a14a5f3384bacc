// The frames of a WebSocket (RFC 6455), as far as a client that listens needs them.
//
// Not Beast's: it refuses a text that ends inside a character, and what relays the output of containers cuts it
// anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace runai {

class WebSocketFrames {
 public:
  struct Handlers {
    std::function<void(std::string_view)> on_data;  // of a text or a binary message, in the pieces it comes in
    std::function<void(std::string_view)> on_ping;
  };

  explicit WebSocketFrames(Handlers handlers) : handlers_(std::move(handlers)) {}

  // Bytes as they come, cut anywhere. Nothing after a close or a fault.
  void feed(std::string_view bytes);

  // The code of the close frame that came; 1005 where it has none.
  const std::optional<int>& closed() const { return closed_; }
  // What breaks the protocol; empty if nothing does.
  const std::string& fault() const { return fault_; }
  bool is_over() const { return closed_ || !fault_.empty(); }

 private:
  bool read_header();
  void handle_control(std::string_view payload);

  Handlers handlers_;
  std::string buffer_;  // a header, or the payload of a control frame, that is not complete
  bool in_payload_ = false;
  int opcode_ = 0;
  std::uint64_t left_ = 0;  // of the payload
  std::optional<int> closed_;
  std::string fault_;
};

// A frame of a client. The mask is four bytes; it hides nothing, but a server insists on one.
std::string client_frame(int opcode, std::string_view payload, std::uint32_t mask);
inline constexpr int opcode_close = 8;
inline constexpr int opcode_ping = 9;
inline constexpr int opcode_pong = 10;

}  // namespace runai
