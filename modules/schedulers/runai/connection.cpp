#include "connection.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <cstring>

#include "cloudai/error.hpp"
#include "host_lookup.hpp"

namespace runai {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using std::chrono::steady_clock;

constexpr std::chrono::seconds connect_limit{5};
constexpr std::chrono::seconds handshake_limit{10};
// How soon a wish to stop is heard.
constexpr std::chrono::milliseconds slice{100};

}  // namespace

struct TrustedCertificates::Context {
  asio::ssl::context tls{asio::ssl::context::tls_client};
};

TrustedCertificates::TrustedCertificates(const std::string& ca_file) : context_(std::make_unique<Context>()) {
  asio::ssl::context& tls = context_->tls;
  boost::system::error_code error;
  SSL_CTX_set_min_proto_version(tls.native_handle(), TLS1_2_VERSION);
  tls.set_verify_mode(asio::ssl::verify_peer, error);
  if (ca_file.empty()) {
    tls.set_default_verify_paths(error);
    return;
  }
  tls.load_verify_file(ca_file, error);
  if (!error) return;
  throw cloudai::Error(cloudai::Status::invalid_config,
                       "The file '" + ca_file + "' (ca_file) holds no certificates: " + error.message() + ".",
                       "It has the certificates of authorities, each between BEGIN CERTIFICATE and END CERTIFICATE.");
}

TrustedCertificates::~TrustedCertificates() = default;

struct Connection::State {
  State(asio::ssl::context& tls, Stop wish) : stream(io, tls), stop(std::move(wish)) {}

  asio::io_context io;
  asio::ssl::stream<tcp::socket> stream;  // without TLS its socket alone is used
  Stop stop;
  bool is_tls = false;

  tcp::socket& socket() { return stream.next_layer(); }

  // Starts an operation and waits for its end. Whatever ends the wait, the operation has ended, too.
  template <class Start>
  std::size_t run(Start start, SteadyTime deadline, Error& error) {
    bool is_done = false;
    std::size_t count = 0;
    start([&](const Error& result, std::size_t transferred) {
      is_done = true;
      error = result;
      count = transferred;
    });
    Error why;
    while (!is_done) {
      io.restart();
      io.run_one_for(slice);
      if (is_done || why) continue;
      if (steady_clock::now() >= deadline) why = asio::error::timed_out;
      if (!why && stop()) why = asio::error::operation_aborted;
      Error ignored;
      if (why) socket().close(ignored);
    }
    if (why) error = why;
    return count;
  }

  std::optional<HttpFailure> connect(const Url& server, SteadyTime deadline);
  std::optional<HttpFailure> shake_hands(const Url& server, SteadyTime deadline);
  HttpFailure failure(const std::string& text) const {
    return {stop() ? HttpFailure::Kind::cancelled : HttpFailure::Kind::not_sent, text};
  }
};

std::optional<HttpFailure> Connection::State::connect(const Url& server, SteadyTime deadline) {
  const HostLookup lookup = look_up(server.host, server.port, deadline, stop);
  if (lookup.addresses.empty()) return failure(lookup.failure);
  Error error;
  for (const SocketAddress& address : lookup.addresses) {
    tcp::endpoint endpoint;
    std::memcpy(endpoint.data(), &address.bytes, address.size);
    endpoint.resize(address.size);
    socket().close(error);
    run(
        [&](auto handler) {
          socket().async_connect(endpoint, [handler](const Error& result) mutable { handler(result, 0); });
        },
        deadline, error);
    if (!error) {
      Error ignored;
      socket().set_option(tcp::no_delay(true), ignored);
      return std::nullopt;
    }
  }
  return failure("no connection to " + authority(server) + ": " + described(error));
}

std::optional<HttpFailure> Connection::State::shake_hands(const Url& server, SteadyTime deadline) {
  SSL* const ssl = stream.native_handle();
  Error not_an_address;
  asio::ip::make_address(server.host, not_an_address);
  if (not_an_address) {
    SSL_set_tlsext_host_name(ssl, server.host.c_str());
    SSL_set1_host(ssl, server.host.c_str());
  } else {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), server.host.c_str());
  }
  Error error;
  run(
      [&](auto handler) {
        stream.async_handshake(asio::ssl::stream_base::client,
                               [handler](const Error& result) mutable { handler(result, 0); });
      },
      deadline, error);
  if (!error) return std::nullopt;
  if (const long verified = SSL_get_verify_result(ssl); verified != X509_V_OK) {
    return HttpFailure{
        HttpFailure::Kind::bad_certificate,
        "the certificate of " + authority(server) + " is not trusted: " + X509_verify_cert_error_string(verified)};
  }
  return failure("no TLS with " + authority(server) + ": " + described(error));
}

Connection::Connection(TrustedCertificates& trusted, Stop stop)
    : state_(std::make_unique<State>(trusted.context_->tls, std::move(stop))) {}

Connection::~Connection() = default;

std::optional<HttpFailure> Connection::open(const Url& server, SteadyTime deadline) {
  state_->is_tls = server.is_tls;
  if (auto failure = state_->connect(server, std::min(deadline, steady_clock::now() + connect_limit))) return failure;
  if (!server.is_tls) return std::nullopt;
  return state_->shake_hands(server, std::min(deadline, steady_clock::now() + handshake_limit));
}

std::size_t Connection::read(void* data, std::size_t size, Error& error) {
  const auto buffer = asio::buffer(data, size);
  const std::size_t count = state_->run(
      [&](auto handler) {
        if (state_->is_tls) {
          state_->stream.async_read_some(buffer, handler);
        } else {
          state_->socket().async_read_some(buffer, handler);
        }
      },
      deadline_, error);
  // Many servers end a connection without saying so in TLS; whether the reply is whole is seen by its length.
  if (error == asio::ssl::error::stream_truncated) error = asio::error::eof;
  return count;
}

std::size_t Connection::write(const void* data, std::size_t size, Error& error) {
  const auto buffer = asio::buffer(data, size);
  return state_->run(
      [&](auto handler) {
        if (state_->is_tls) {
          state_->stream.async_write_some(buffer, handler);
        } else {
          state_->socket().async_write_some(buffer, handler);
        }
      },
      deadline_, error);
}

std::string described(const boost::system::error_code& error) {
  if (error == asio::error::timed_out) return "it takes too long";
  if (error == asio::error::operation_aborted) return "it was ended";
  if (error == asio::error::connection_reset) return "the connection was reset";
  if (error == asio::error::connection_refused) return "the connection was refused";
  if (error == asio::error::eof) return "the server ended the connection";
  return error.message();
}

}  // namespace runai
