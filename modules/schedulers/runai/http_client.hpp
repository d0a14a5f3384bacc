// Requests over the network.
#pragma once

#include "connection.hpp"
#include "http.hpp"

namespace runai {

// Each request has a connection of its own: a poll comes once a minute, and what is not kept open cannot go stale.
class HttpClient : public HttpTransport {
 public:
  explicit HttpClient(TrustedCertificates& trusted) : trusted_(trusted) {}
  HttpResult send(const HttpRequest& request) override;

 private:
  TrustedCertificates& trusted_;
};

// When to stop waiting for what has this patience.
Connection::Stop stop_of(const Patience& patience);

}  // namespace runai
