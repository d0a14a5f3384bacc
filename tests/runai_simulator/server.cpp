#include "tests/runai_simulator/server.hpp"

#include <poll.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <map>
#include <optional>
#include <thread>

namespace runai_simulator {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Error = boost::system::error_code;
using TlsStream = asio::ssl::stream<tcp::socket&>;

bool input_waits(tcp::socket& socket) {
  pollfd item{socket.native_handle(), POLLIN, 0};
  return ::poll(&item, 1, 0) > 0;
}

void reset(tcp::socket& socket) {
  Error ignored;
  socket.set_option(asio::socket_base::linger(true, 0), ignored);
  socket.close(ignored);
}

class SocketConnection : public Connection {
 public:
  // `tls` is null without TLS.
  SocketConnection(tcp::socket& socket, TlsStream* tls) : socket_(socket), tls_(tls) {}

  std::size_t read(char* data, std::size_t size) override {
    Error error;
    const auto buffer = asio::buffer(data, size);
    const auto count = tls_ != nullptr ? tls_->read_some(buffer, error) : socket_.read_some(buffer, error);
    return error ? 0 : count;
  }
  bool write(std::string_view data) override {
    Error error;
    const auto buffer = asio::buffer(data);
    if (tls_ != nullptr) {
      asio::write(*tls_, buffer, error);
    } else {
      asio::write(socket_, buffer, error);
    }
    return !error;
  }
  bool readable() override {
    return (tls_ != nullptr && SSL_pending(tls_->native_handle()) > 0) || (socket_.is_open() && input_waits(socket_));
  }
  void reset() override { runai_simulator::reset(socket_); }
  void close() override {
    Error ignored;
    // Nothing more is read, so that the farewell of TLS is sent but the client's is not waited for.
    socket_.shutdown(tcp::socket::shutdown_receive, ignored);
    if (tls_ != nullptr && socket_.is_open()) tls_->shutdown(ignored);
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }

 private:
  tcp::socket& socket_;
  TlsStream* tls_;
};

asio::ssl::context context_of(const Identity& identity) {
  asio::ssl::context context(asio::ssl::context::tls_server);
  context.use_certificate_chain(asio::buffer(identity.certificate));
  context.use_private_key(asio::buffer(identity.key), asio::ssl::context::pem);
  return context;
}

}  // namespace

struct Server::Parts {
  Handlers handlers;
  std::function<std::string()> effect;
  asio::io_context io;
  tcp::acceptor acceptor{io, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  std::map<std::string, asio::ssl::context> contexts;  // by the effect that asks for them; empty without TLS

  void serve(tcp::socket& socket) {
    const auto wanted = effect();
    if (wanted == "reset-on-connect") return reset(socket);
    if (contexts.empty()) {
      SocketConnection connection(socket, nullptr);
      return serve_http(connection, handlers);
    }
    if (wanted == "tls-stall") {
      SocketConnection connection(socket, nullptr);
      char ignored = 0;
      while (connection.read(&ignored, 1) > 0) {
      }
      return;
    }
    const auto context = contexts.find(wanted);
    TlsStream stream(socket, context == contexts.end() ? contexts.at("") : context->second);
    Error error;
    stream.handshake(asio::ssl::stream_base::server, error);
    if (error) return;
    SocketConnection connection(socket, &stream);
    serve_http(connection, handlers);
  }
};

Server::Server(Handlers handlers, const Certificates* certificates, std::function<std::string()> effect)
    : parts_(std::make_shared<Parts>()) {
  parts_->handlers = std::move(handlers);
  parts_->effect = std::move(effect);
  if (certificates == nullptr) return;
  parts_->contexts.emplace("", context_of(certificates->good));
  parts_->contexts.emplace("tls-expired", context_of(certificates->expired));
  parts_->contexts.emplace("tls-wrong-host", context_of(certificates->wrong_host));
  parts_->contexts.emplace("tls-self-signed", context_of(certificates->self_signed));
}

Server::~Server() = default;

std::uint16_t Server::port() const {
  return parts_->acceptor.local_endpoint().port();
}

void Server::start() {
  std::thread([parts = parts_] {
    while (true) {
      Error error;
      auto socket = std::make_shared<tcp::socket>(parts->io);
      parts->acceptor.accept(*socket, error);
      if (error) continue;
      socket->set_option(tcp::no_delay(true), error);
      std::thread([parts, socket] { parts->serve(*socket); }).detach();
    }
  }).detach();
}

}  // namespace runai_simulator
