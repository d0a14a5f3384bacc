// A tenant that answers what a test says, for everything above the network.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "cloudai/host.hpp"
#include "http.hpp"
#include "system_options.hpp"
#include "tests/sdk/module_harness.hpp"

namespace runai::testing {

using cloudai::Json;

inline HttpReply reply(int status, const std::string& body = {}, std::map<std::string, std::string> headers = {}) {
  return {status, std::move(headers), body};
}
inline HttpReply reply(int status, const char* body, std::map<std::string, std::string> headers = {}) {
  return reply(status, std::string(body), std::move(headers));
}
inline HttpReply reply(int status, const Json& body) {
  return reply(status, body.dump());
}
inline HttpFailure failure(HttpFailure::Kind kind, const std::string& text = "trouble") {
  return {kind, text};
}

// Answers of the form {what a request's method and target begin with, what comes}: each once in their order, the last
// of each for ever. A token is always there.
class FakeTransport : public HttpTransport {
 public:
  FakeTransport() { say("POST /api/v2/token", {reply(200, Json{{"access_token", "token-1"}, {"expires_in", 3600}})}); }

  void say(const std::string& request, std::deque<HttpResult> answers) { answers_[request] = std::move(answers); }

  HttpResult send(const HttpRequest& request) override {
    const std::lock_guard lock(mutex_);
    requests.push_back(request);
    const std::string line = request.method + " " + request.target;
    auto best = answers_.end();
    for (auto entry = answers_.begin(); entry != answers_.end(); ++entry) {
      const bool fits = line.rfind(entry->first, 0) == 0;
      if (fits && (best == answers_.end() || entry->first.size() > best->first.size())) best = entry;
    }
    if (best == answers_.end()) return reply(404, Json{{"code", 404}, {"message", "Resource id not found."}});
    HttpResult answer = best->second.front();
    if (best->second.size() > 1) best->second.pop_front();
    return answer;
  }

  // "GET /api/v1/workloads", one for each request but those for tokens.
  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (const HttpRequest& request : requests) {
      if (request.target.find("/token") != std::string::npos) continue;
      lines.push_back(request.method + " " + request.target.substr(0, request.target.find('?')));
    }
    return lines;
  }
  int count(const std::string& start) const {
    int number = 0;
    for (const HttpRequest& request : requests) {
      number += (request.method + " " + request.target).rfind(start, 0) == 0 ? 1 : 0;
    }
    return number;
  }

  std::vector<HttpRequest> requests;

 private:
  std::mutex mutex_;
  std::map<std::string, std::deque<HttpResult>> answers_;
};

inline std::string bearer_of(const HttpRequest& request) {
  for (const auto& [name, value] : request.headers) {
    if (name == "Authorization") return value;
  }
  return {};
}

inline SystemOptions options() {
  SystemOptions options;
  options.system_name = "tenant";
  options.base_url = *parse_url("https://tenant.example.com");
  options.client_id = "benchmark";
  options.client_secret = "the-secret";
  options.project_id = "4201";
  options.cluster_id = "6b0c5c0e-3a57-4d0b-9d55-0f6a2f8f1d11";
  options.security_capabilities = {"IPC_LOCK"};
  return options;
}

// The Error that `action` throws.
template <class Action>
cloudai::Error refusal(Action action) {
  try {
    action();
  } catch (const cloudai::Error& error) {
    return error;
  }
  return {cloudai::Status::internal, "nothing was refused"};
}

}  // namespace runai::testing
