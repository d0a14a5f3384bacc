// Requests to the tenant's API: with a token, repeated where that helps and does no harm.
#pragma once

#include <string>

#include "cloudai/documents/value.hpp"
#include "http.hpp"
#include "request_log.hpp"
#include "retry_policy.hpp"
#include "token_source.hpp"

namespace runai {

struct ApiCall {
  Call kind = Call::get;
  std::string method = "GET";
  std::string path;  // below the address of the tenant, with the query
  std::string name;  // what it is counted as: "GET workloads"
  std::string body{};
  const char* needed_key = nullptr;  // a success without this text in its document is none
};

struct ApiReply {
  // accept, not_there, reconcile, conflict, fail; or retry: no attempt was answered.
  Action action = Action::accept;
  int status = 0;
  cloudai::Json body;   // of a success; null where it is empty
  std::string message;  // of anything else, without a full stop
};

// From any thread.
class ApiClient {
 public:
  ApiClient(HttpTransport& transport, TokenSource& tokens, const SystemOptions& options, RequestLog& log)
      : transport_(transport), tokens_(tokens), options_(options), log_(log) {}

  // Throws cloudai::Error(cancelled), and what TokenSource throws.
  ApiReply call(const ApiCall& call, const Patience& patience = {});

  // The reply's document, or Error(unavailable or failed) with a sentence that begins with `what`: "The workloads of
  // the project". 404 is told by a null document.
  cloudai::Json get(const std::string& path, const std::string& name, const std::string& what,
                    const Patience& patience = {});

 private:
  HttpTransport& transport_;
  TokenSource& tokens_;
  const SystemOptions& options_;
  RequestLog& log_;
};

// What a refusal by its status asks of the person at the terminal; empty where the message says it all.
std::string hint_for(int status);

}  // namespace runai
