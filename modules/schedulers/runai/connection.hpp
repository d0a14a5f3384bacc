// A connection to a server, with TLS or without, that never takes longer than it is given. A SyncStream for Beast, so
// that its algorithms are compiled once for both.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "http.hpp"
#include "url.hpp"

namespace runai {

// The certificates that are trusted. Shared by connections.
class TrustedCertificates {
 public:
  // Those of the system where `ca_file` is empty. Throws cloudai::Error(invalid_config) for a file that has none.
  explicit TrustedCertificates(const std::string& ca_file);
  ~TrustedCertificates();
  TrustedCertificates(const TrustedCertificates&) = delete;
  TrustedCertificates& operator=(const TrustedCertificates&) = delete;

 private:
  friend class Connection;
  struct Context;
  std::unique_ptr<Context> context_;
};

class Connection {
 public:
  using Error = boost::system::error_code;
  // Asked several times a second while something is waited for; true ends the wait.
  using Stop = std::function<bool()>;

  Connection(TrustedCertificates& trusted, Stop stop);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Connects, and verifies who answers. Nothing, or why not.
  std::optional<HttpFailure> open(const Url& server, SteadyTime deadline);

  // From when on reading and writing fail with timed_out. They fail with operation_aborted where `stop` ended them.
  void set_deadline(SteadyTime deadline) { deadline_ = deadline; }

  std::size_t read(void* data, std::size_t size, Error& error);
  std::size_t write(const void* data, std::size_t size, Error& error);

  template <class MutableBuffers>
  std::size_t read_some(const MutableBuffers& buffers, Error& error) {
    for (auto at = boost::asio::buffer_sequence_begin(buffers); at != boost::asio::buffer_sequence_end(buffers); ++at) {
      const boost::asio::mutable_buffer buffer(*at);
      if (buffer.size() > 0) return read(buffer.data(), buffer.size(), error);
    }
    error = {};
    return 0;
  }
  template <class ConstBuffers>
  std::size_t write_some(const ConstBuffers& buffers, Error& error) {
    for (auto at = boost::asio::buffer_sequence_begin(buffers); at != boost::asio::buffer_sequence_end(buffers); ++at) {
      const boost::asio::const_buffer buffer(*at);
      if (buffer.size() > 0) return write(buffer.data(), buffer.size(), error);
    }
    error = {};
    return 0;
  }
  // The forms that throw are part of what makes a SyncStream.
  template <class MutableBuffers>
  std::size_t read_some(const MutableBuffers& buffers) {
    Error error;
    const std::size_t count = read_some(buffers, error);
    if (error) throw boost::system::system_error(error);
    return count;
  }
  template <class ConstBuffers>
  std::size_t write_some(const ConstBuffers& buffers) {
    Error error;
    const std::size_t count = write_some(buffers, error);
    if (error) throw boost::system::system_error(error);
    return count;
  }

 private:
  struct State;
  std::unique_ptr<State> state_;
  SteadyTime deadline_ = SteadyTime::max();
};

// "the connection was reset by the server"
std::string described(const boost::system::error_code& error);

}  // namespace runai
