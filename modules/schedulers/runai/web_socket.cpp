#include "web_socket.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <boost/asio/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <optional>
#include <utility>

#include "web_socket_frames.hpp"

namespace runai {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using Kind = WebSocketEnd::Kind;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr seconds open_limit{30};
// A program may be silent for hours. The server is asked whether it is still there, so that a proxy in between keeps
// the connection, too.
constexpr seconds silence_before_ping{30};
constexpr seconds silence_before_end{60};
constexpr seconds between_pongs{1};
constexpr int normal_closure = 1000;
constexpr int no_code = 1005;

template <std::size_t size>
std::array<unsigned char, size> random_bytes() {
  std::array<unsigned char, size> bytes{};
  RAND_bytes(bytes.data(), static_cast<int>(size));
  return bytes;
}

template <std::size_t size>
std::string base64(const std::array<unsigned char, size>& bytes) {
  std::array<unsigned char, 4 * ((size + 2) / 3) + 1> text{};
  const int length = EVP_EncodeBlock(text.data(), bytes.data(), static_cast<int>(size));
  return {text.begin(), text.begin() + length};
}

std::string expected_answer(const std::string& key) {
  const std::string text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";  // of RFC 6455
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
  EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha1(), nullptr);
  return base64(digest);
}

std::uint32_t random_mask() {
  std::uint32_t mask = 0;
  for (const unsigned char byte : random_bytes<4>()) mask = (mask << 8U) | byte;
  return mask;
}

WebSocketEnd broken(const boost::system::error_code& error) {
  if (error == boost::asio::error::operation_aborted) return {Kind::stopped, 0, {}};
  return {Kind::broken, 0, described(error)};
}

// Nothing if the server agrees. `rest` gets what it sent behind its answer.
std::optional<WebSocketEnd> upgrade(Connection& connection, const WebSocketRequest& request, std::string& rest) {
  const std::string key = base64(random_bytes<16>());
  http::request<http::empty_body> message(http::verb::get, request.target, 11);
  message.set(http::field::host, authority(request.server));
  message.set(http::field::user_agent, "cloudai");
  message.set(http::field::upgrade, "websocket");
  message.set(http::field::connection, "Upgrade");
  message.set(http::field::sec_websocket_key, key);
  message.set(http::field::sec_websocket_version, "13");
  message.set(http::field::authorization, "Bearer " + request.token);
  boost::system::error_code error;
  http::write(connection, message, error);
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.body_limit(std::uint64_t{1} << 20U);
  if (!error) http::read_header(connection, buffer, parser, error);
  if (error) return broken(error);
  const auto& answer = parser.get();
  if (answer.result() != http::status::switching_protocols) {
    return WebSocketEnd{Kind::refused, static_cast<int>(answer.result_int()),
                        "status " + std::to_string(answer.result_int())};
  }
  if (answer[http::field::sec_websocket_accept] != expected_answer(key)) {
    return WebSocketEnd{Kind::broken, 0, "the server does not speak the WebSocket protocol"};
  }
  rest.assign(static_cast<const char*>(buffer.data().data()), buffer.data().size());
  return std::nullopt;
}

void send(Connection& connection, const std::string& frame) {
  boost::system::error_code error;
  for (std::size_t sent = 0; sent < frame.size() && !error;) {
    sent += connection.write(frame.data() + sent, frame.size() - sent, error);
  }
}

WebSocketEnd end_of(const WebSocketFrames& frames) {
  if (!frames.fault().empty()) return {Kind::broken, 0, frames.fault()};
  const int code = *frames.closed();
  if (code == normal_closure || code == no_code) return {Kind::closed, 0, {}};
  return {Kind::broken, 0, "the server closed it with code " + std::to_string(code)};
}

}  // namespace

WebSocketEnd listen(TrustedCertificates& trusted, const WebSocketRequest& request,
                    const std::function<void(std::string_view)>& on_data, const std::function<bool()>& stop) {
  auto last_heard = steady_clock::now();
  auto last_asked = last_heard;
  Connection* listening = nullptr;
  // Of several pings the last alone has to be answered. Answering each could mean to wait for a server that waits, in
  // turn, until somebody reads what it sends.
  std::optional<std::string> ping;
  auto last_pong = last_heard - between_pongs;
  const auto answer_ping = [&](steady_clock::time_point now) {
    if (!ping || now - last_pong < between_pongs) return;
    const std::string pong = client_frame(opcode_pong, *std::exchange(ping, std::nullopt), random_mask());
    last_pong = now;
    send(*listening, pong);
  };
  // Asked several times a second while the socket is silent: the place to see how long that is.
  const auto should_stop = [&] {
    const auto now = steady_clock::now();
    if (listening != nullptr && now - std::max(last_heard, last_asked) > silence_before_ping) {
      last_asked = now;
      send(*listening, client_frame(opcode_ping, {}, random_mask()));
    }
    answer_ping(now);
    return stop();
  };
  Connection connection(trusted, should_stop);
  if (auto failure = connection.open(request.server, last_heard + open_limit)) {
    if (stop()) return {Kind::stopped, 0, {}};
    return {Kind::broken, 0, failure->text};
  }
  connection.set_deadline(steady_clock::now() + open_limit);
  std::string bytes;
  if (auto end = upgrade(connection, request, bytes)) return *end;
  listening = &connection;
  WebSocketFrames frames({on_data, [&](std::string_view payload) { ping = std::string(payload); }});
  std::array<char, 16384> buffer{};
  frames.feed(bytes);
  while (!frames.is_over()) {
    boost::system::error_code error;
    connection.set_deadline(last_heard + silence_before_end);
    const std::size_t count = connection.read(buffer.data(), buffer.size(), error);
    if (error) return stop() ? WebSocketEnd{Kind::stopped, 0, {}} : broken(error);
    last_heard = steady_clock::now();
    frames.feed({buffer.data(), count});
    answer_ping(last_heard);
  }
  send(connection, client_frame(opcode_close, "\x03\xe8", random_mask()));
  return end_of(frames);
}

}  // namespace runai
