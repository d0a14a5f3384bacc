// The server's side of a WebSocket (RFC 6455), by hand: a library would not split, stall and break off as faults want
// it.
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include "tests/runai_simulator/connection.hpp"

namespace runai_simulator {
namespace {

enum class Opcode : unsigned char { continuation = 0, text = 1, binary = 2, close = 8, ping = 9 };

std::string accept_key(const std::string& key) {
  const std::string text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr);
  std::array<unsigned char, 4 * EVP_MAX_MD_SIZE> encoded{};
  const int length = EVP_EncodeBlock(encoded.data(), digest.data(), static_cast<int>(size));
  return {encoded.begin(), encoded.begin() + length};
}

std::string frame_head(Opcode opcode, bool last, std::uint64_t size) {
  std::string head(1, static_cast<char>(static_cast<unsigned>(opcode) | (last ? 0x80U : 0U)));
  int bytes = 0;
  if (size < 126) {
    head += static_cast<char>(size);
  } else if (size < 65536) {
    head += static_cast<char>(126);
    bytes = 2;
  } else {
    head += static_cast<char>(127);
    bytes = 8;
  }
  for (int i = bytes - 1; i >= 0; --i) head += static_cast<char>(size >> (8 * i) & 0xffU);
  return head;
}

std::string frame(Opcode opcode, std::string_view payload, bool last = true) {
  return frame_head(opcode, last, payload.size()).append(payload);
}

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

class LogStream {
 public:
  LogStream(Connection& connection, const Handlers& handlers, const Effect& effect)
      : connection_(connection), handlers_(handlers), rules_(handlers.log_rules()), effect_(effect) {
    if (effect.parameters.contains("afterBytes")) limit_ = effect.parameters["afterBytes"].get<std::size_t>();
  }

  // Sends what is there beyond what was sent. False if the stream is at its end.
  bool send(const std::string& log) {
    while (sent_ < log.size()) {
      if (sent_ >= limit_) return end_early();
      if (!send_message(std::string_view(log).substr(sent_, size_of_next(log)))) return false;
      if (rules_.ping_every > 0 && ++messages_ % rules_.ping_every == 0) {
        if (!connection_.write(frame(Opcode::ping, "still here"))) return false;
      }
    }
    return sent_ < limit_ || end_early();
  }

  void close(unsigned code) {
    const std::string payload{static_cast<char>(code >> 8U), static_cast<char>(code & 0xffU)};
    connection_.write(frame(Opcode::close, payload));
    wait_for_client();
  }

  // Whether the client sent a close frame, which is answered then, or is gone.
  bool client_left() {
    if (!connection_.readable()) return false;
    std::array<char, 4096> buffer{};
    const auto count = connection_.read(buffer.data(), buffer.size());
    if (count == 0) return true;
    // Pongs and closes are all a client of logs sends, and each comes whole.
    if ((static_cast<unsigned char>(buffer[0]) & 0x0fU) != static_cast<unsigned>(Opcode::close)) return false;
    close(1000);
    return true;
  }

 private:
  std::size_t size_of_next(const std::string& log) {
    auto size = static_cast<std::size_t>(1 + handlers_.random() % rules_.chunk);
    size = std::min({size, log.size() - sent_, limit_ - sent_});
    if (rules_.binary) return size;
    // A text message holds whole characters.
    while (sent_ + size < log.size() && continues_character(log[sent_ + size])) ++size;
    return size;
  }

  bool send_message(std::string_view payload) {
    sent_ += payload.size();
    const auto opcode = rules_.binary ? Opcode::binary : Opcode::text;
    if (effect_.kind != "ws-fragment") return connection_.write(frame(opcode, payload));
    // Frames, unlike messages, may end inside a character.
    bool good = connection_.write(frame(opcode, payload.substr(0, 1), false));
    for (std::size_t at = 1; at < payload.size() && good; at += 2) {
      good = connection_.write(frame(Opcode::continuation, payload.substr(at, 2), false));
      if (at == 1) good = good && connection_.write(frame(Opcode::ping, "between"));
    }
    return good && connection_.write(frame(Opcode::continuation, "", true));
  }

  bool end_early() {
    if (effect_.kind == "ws-close") close(effect_.parameters.value("code", 1011U));
    if (effect_.kind == "ws-oversized") {
      connection_.write(frame_head(Opcode::text, true, std::uint64_t{1} << 40U) + "and so on");
      wait_for_client();
    }
    if (effect_.kind == "ws-idle") wait_for_client();
    return false;
  }

  void wait_for_client() {
    std::array<char, 4096> ignored{};
    while (connection_.read(ignored.data(), ignored.size()) > 0) {
    }
  }

  Connection& connection_;
  const Handlers& handlers_;
  LogRules rules_;
  Effect effect_;
  std::size_t sent_ = 0;
  std::size_t limit_ = std::string::npos;
  int messages_ = 0;
};

// Those that end the stream before its time do so at the beginning unless told otherwise.
Effect with_limit(Effect effect) {
  const bool ends = effect.kind == "ws-close" || effect.kind == "ws-drop" || effect.kind == "ws-oversized" ||
                    effect.kind == "ws-idle";
  if (ends && !effect.parameters.contains("afterBytes")) effect.parameters["afterBytes"] = 0;
  return effect;
}

}  // namespace

void serve_log(Connection& connection, const Handlers& handlers, const HttpRequest& request, const Exchange& exchange) {
  const auto key = request.headers.find("sec-websocket-key");
  connection.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
      accept_key(key == request.headers.end() ? "" : key->second) + "\r\n\r\n");
  LogStream stream(connection, handlers, with_limit(exchange.effect.value_or(Effect{})));
  while (true) {
    const auto log = handlers.log(exchange.answer->log_of_workload, request.query);
    if (!stream.send(log.text)) return;
    if (log.complete) return stream.close(1000);
    if (stream.client_left()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace runai_simulator
