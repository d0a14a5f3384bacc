// One request over HTTP and what comes of it. Who sends it stands behind an interface, so that everything above can be
// tested without a server.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "url.hpp"

namespace runai {

using SteadyTime = std::chrono::steady_clock::time_point;
using SteadyNow = std::function<SteadyTime()>;

// How long a caller waits.
struct Patience {
  bool heeds_cancellation = true;  // whether it ends soon after the host asked to stop
  SteadyTime until = SteadyTime::max();
};

struct HttpRequest {
  std::string method;
  Url server;
  std::string target;  // path and query, encoded
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::chrono::milliseconds limit{30000};  // for all of it
  std::size_t body_limit = std::size_t{16} << 20U;
  Patience patience{};
};

struct HttpReply {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

struct HttpFailure {
  enum class Kind {
    not_sent,         // no connection: the server knows nothing of the request
    bad_certificate,  // likewise, and trying again does not help
    broken,           // the server may have got the request, and may have done what it asks for
    too_large,        // the reply
    cancelled         // the host asked to stop; the server may have got the request
  };
  Kind kind = Kind::not_sent;
  std::string text;  // "the connection was refused"
};

using HttpResult = std::variant<HttpReply, HttpFailure>;

// Sends requests, from any thread. Follows no redirect.
class HttpTransport {
 public:
  HttpTransport() = default;
  HttpTransport(const HttpTransport&) = delete;
  HttpTransport& operator=(const HttpTransport&) = delete;
  virtual ~HttpTransport() = default;
  virtual HttpResult send(const HttpRequest& request) = 0;
};

}  // namespace runai
