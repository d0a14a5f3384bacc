// What is remembered and said of requests: how many there were, which attempts failed, and what must not be shown.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "http.hpp"
#include "retry_policy.hpp"
#include "secrets.hpp"

namespace runai {

// How an attempt ended: for the table of retries, and for people.
struct Attempt {
  Condition condition = Condition::status;
  int status = 0;
  std::string message;  // "status 503: Please try again in few minutes."
};

class RequestLog {
 public:
  Secrets& secrets() { return secrets_; }

  // Counts a request that is sent otherwise.
  void count(std::string_view name);

  // Sends the request and counts it under `name`, "POST workloads/trainings".
  HttpResult send(HttpTransport& transport, const HttpRequest& request, std::string_view name);

  // What came of it. Throws cloudai::Error(cancelled) where the host asked to stop.
  Attempt judged(const HttpResult& result) const;

  // One line for an attempt that failed.
  void note_failure(const HttpRequest& request, const Attempt& attempt, int number,
                    std::chrono::milliseconds took) const;

 private:
  Secrets secrets_;
};

// `text` with a full stop at its end.
std::string sentence(std::string text);

// Waits, in pieces. Throws cloudai::Error(cancelled) where the host asks to stop meanwhile; returns early where
// patience ends.
void pause(std::chrono::milliseconds time, const Patience& patience);

// What a repetition waits for: what the server asked for, else a random part of a time that doubles.
std::chrono::milliseconds pause_after(const HttpResult& result, int attempt);

}  // namespace runai
