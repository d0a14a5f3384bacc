#include "tests/runai_simulator/tls_client.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>

namespace runai_simulator {
namespace {

namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;
using Error = boost::system::error_code;
using TlsStream = asio::ssl::stream<tcp::socket>;

struct Address {
  std::string host;
  unsigned short port = 0;
};

Address address_of(const std::string& url) {
  const auto colon = url.rfind(':');
  const auto slashes = url.find("//") + 2;
  return {url.substr(slashes, colon - slashes), static_cast<unsigned short>(std::stoi(url.substr(colon + 1)))};
}

asio::ssl::context context_of(const std::filesystem::path& ca_file) {
  asio::ssl::context context(asio::ssl::context::tls_client);
  context.set_verify_mode(asio::ssl::verify_peer);
  context.load_verify_file(ca_file);
  return context;
}

// Connected, and its certificate checked.
void open(TlsStream& stream, const Address& address, Error& error) {
  stream.set_verify_callback(asio::ssl::host_name_verification(address.host));
  stream.next_layer().connect(tcp::endpoint(asio::ip::address_v4::loopback(), address.port), error);
  if (!error) stream.handshake(asio::ssl::stream_base::client, error);
}

}  // namespace

std::string ReceivedLog::text() const {
  std::string all;
  for (const auto& message : messages) all += message.payload;
  return all;
}

std::string tls_refusal(const std::string& url, const std::filesystem::path& ca_file) {
  asio::io_context io;
  auto context = context_of(ca_file);
  TlsStream stream(io, context);
  Error error;
  open(stream, address_of(url), error);
  return error ? error.message() : "";
}

ReceivedLog receive_log(const std::string& url, const std::filesystem::path& ca_file, const std::string& target,
                        const std::string& token) {
  ReceivedLog log;
  asio::io_context io;
  auto context = context_of(ca_file);
  websocket::stream<TlsStream> stream(io, context);
  Error error;
  const auto address = address_of(url);
  open(stream.next_layer(), address, error);
  stream.set_option(websocket::stream_base::decorator([&](websocket::request_type& request) {
    if (!token.empty()) request.set("Authorization", "Bearer " + token);
  }));
  stream.control_callback([&](websocket::frame_type kind, boost::beast::string_view) {
    if (kind == websocket::frame_type::ping) ++log.pings;
  });
  websocket::response_type response;
  if (!error) stream.handshake(response, address.host, target, error);
  boost::beast::flat_buffer buffer;
  while (!error) {
    stream.read(buffer, error);
    if (!error) log.messages.push_back({boost::beast::buffers_to_string(buffer.data()), stream.got_binary()});
    buffer.clear();
  }
  if (error == websocket::error::closed) {
    log.close_code = static_cast<int>(stream.reason().code);
  } else {
    log.error =
        error == websocket::error::upgrade_declined ? "HTTP " + std::to_string(response.result_int()) : error.message();
  }
  return log;
}

}  // namespace runai_simulator
