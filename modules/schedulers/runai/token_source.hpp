// The token that requests carry, renewed before it expires and when the tenant no longer takes it.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "http.hpp"
#include "request_log.hpp"
#include "token_grant.hpp"

namespace runai {

// From any thread; however many ask at once, one request is made.
class TokenSource {
 public:
  TokenSource(HttpTransport& transport, const SystemOptions& options, RequestLog& log, SteadyNow now);

  // Throws cloudai::Error: credentials that are refused (invalid_config), a tenant that does not answer (unavailable),
  // or cancelled.
  std::string token(const Patience& patience);

  // Another one than `refused`, which the tenant does not take.
  std::string renewed(const std::string& refused, const Patience& patience);

 private:
  std::string fetch(const Patience& patience);
  std::optional<std::string> fetch_as(Grant grant, const Patience& patience, std::string& refusal);
  void keep(const GrantedToken& granted, std::string_view date, SteadyTime asked);

  HttpTransport& transport_;
  const SystemOptions& options_;
  RequestLog& log_;
  SteadyNow now_;
  std::mutex mutex_;
  std::string token_;  // empty: none yet
  SteadyTime good_until_;
  std::vector<Grant> grants_;  // those still to be tried, the one that worked alone once one has
};

}  // namespace runai
