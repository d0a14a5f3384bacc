#include "web_socket_frames.hpp"

#include <algorithm>

namespace runai {
namespace {

constexpr std::uint64_t longest_control_payload = 125;
constexpr int no_code = 1005;
// A log comes in small pieces; a length like this is a broken server's.
constexpr std::uint64_t longest_payload = std::uint64_t{1} << 30U;

unsigned byte_at(std::string_view bytes, std::size_t index) {
  return static_cast<unsigned char>(bytes[index]);
}

}  // namespace

// False if more bytes are needed.
bool WebSocketFrames::read_header() {
  if (buffer_.size() < 2) return false;
  const unsigned first = byte_at(buffer_, 0);
  const unsigned second = byte_at(buffer_, 1);
  const unsigned short_length = second & 0x7fU;
  const std::size_t extra = short_length == 126 ? 2 : short_length == 127 ? 8 : 0;
  if (buffer_.size() < 2 + extra) return false;
  opcode_ = static_cast<int>(first & 0x0fU);
  left_ = extra == 0 ? short_length : 0;
  for (std::size_t i = 0; i < extra; ++i) left_ = (left_ << 8U) | byte_at(buffer_, 2 + i);
  const bool is_control = opcode_ >= opcode_close;
  if ((first & 0x70U) != 0) fault_ = "a frame uses an extension that was not agreed on";
  if ((second & 0x80U) != 0) fault_ = "a frame of the server is masked";
  if (opcode_ > opcode_pong || (opcode_ > 2 && !is_control)) {
    fault_ = "a frame has the unknown opcode " + std::to_string(opcode_);
  }
  if (is_control && left_ > longest_control_payload) fault_ = "a control frame is too long";
  if (left_ > longest_payload) fault_ = "a frame of " + std::to_string(left_) + " bytes is announced";
  buffer_.erase(0, 2 + extra);
  in_payload_ = true;
  return true;
}

void WebSocketFrames::handle_control(std::string_view payload) {
  if (opcode_ == opcode_ping) handlers_.on_ping(payload);
  if (opcode_ == opcode_close) {
    closed_ = payload.size() >= 2 ? static_cast<int>(byte_at(payload, 0) << 8U | byte_at(payload, 1)) : no_code;
  }
}

void WebSocketFrames::feed(std::string_view bytes) {
  // Header by header: a buffer that holds more than is needed for one would have to be copied for each.
  while (!is_over() && (!bytes.empty() || in_payload_)) {
    if (!in_payload_) {
      buffer_ += bytes.front();
      bytes.remove_prefix(1);
      if (!read_header()) continue;
      if (is_over()) return;
    }
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
    const std::string_view piece = bytes.substr(0, count);
    bytes.remove_prefix(count);
    left_ -= count;
    if (opcode_ >= opcode_close) {
      buffer_ += piece;
    } else if (!piece.empty()) {
      handlers_.on_data(piece);
    }
    if (left_ > 0) return;
    in_payload_ = false;
    if (opcode_ >= opcode_close) handle_control(buffer_);
    buffer_.clear();
  }
}

std::string client_frame(int opcode, std::string_view payload, std::uint32_t mask) {
  std::string frame;
  frame += static_cast<char>(0x80 | opcode);
  frame += static_cast<char>(0x80U | std::min<std::size_t>(payload.size(), longest_control_payload));
  std::string key;
  for (unsigned shift = 32; shift > 0; shift -= 8) key += static_cast<char>((mask >> (shift - 8)) & 0xffU);
  frame += key;
  const std::string_view kept = payload.substr(0, longest_control_payload);
  for (std::size_t i = 0; i < kept.size(); ++i) frame += static_cast<char>(kept[i] ^ key[i % 4]);
  return frame;
}

}  // namespace runai
