// What to do when a request does not end well: one table for every kind of call, and how long to wait.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace runai {

enum class Call {
  get,
  change,  // of what exists: deletions. Repeating one changes nothing
  create,  // of a workload. Repeating one that was done makes a second
  token
};

// How an attempt ended.
enum class Condition {
  not_sent,  // no connection
  bad_certificate,
  broken,    // reset, time-out or a reply that ends in the middle, after the request may have arrived
  unusable,  // a success without what it must say: no JSON, no id, no token
  too_large,
  redirected,
  status  // any other answer
};

enum class Action {
  accept,
  retry,
  reconcile,    // it may have been done: look before anything else
  renew_token,  // and repeat, once
  next_grant,   // ask for a token in an older form
  not_there,    // what is asked for is not there; of a deletion, a success
  conflict,     // the name is taken
  fail
};

Action action_for(Call call, Condition condition, int status);

// How often a request is sent before it counts as not answered.
int attempts_of(Call call);

// The pause after the attempt with this number, from 1. `random` is in [0, 1): clients that failed together must not
// come back together.
std::chrono::milliseconds backoff(int attempt, double random);

// What a Retry-After header asks for, in seconds or as a date, at most a minute. `date` is the server's Date header.
// Nothing if it cannot be read.
std::optional<std::chrono::milliseconds> retry_after(std::string_view header, std::string_view date);

// "Tue, 03 Feb 2026 04:00:00 GMT" in seconds since 1970.
std::optional<long long> parse_http_date(std::string_view text);

}  // namespace runai
