// Listening to a WebSocket, as the logs of a workload come.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "connection.hpp"
#include "url.hpp"

namespace runai {

struct WebSocketEnd {
  enum class Kind {
    closed,   // the server said that this is the end (1000 or no code)
    broken,   // the connection, or the server's mind
    refused,  // the server answered the upgrade with `status`
    stopped   // by the caller
  };
  Kind kind = Kind::broken;
  int status = 0;
  std::string text;  // what was wrong; empty if nothing was
};

struct WebSocketRequest {
  Url server;
  std::string target;
  std::string token;
};

// Returns when the socket has ended, or soon after `stop` says true. A connection on which nothing comes, not even an
// answer to a ping, is broken.
WebSocketEnd listen(TrustedCertificates& trusted, const WebSocketRequest& request,
                    const std::function<void(std::string_view)>& on_data, const std::function<bool()>& stop);

}  // namespace runai
