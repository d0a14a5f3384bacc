#include "request_log.hpp"

#include <random>
#include <thread>

#include "cloudai/error.hpp"
#include "cloudai/host.hpp"

namespace runai {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

std::string without_query(const std::string& target) {
  return target.substr(0, target.find('?'));
}

std::string header_of(const HttpReply& reply, const char* name) {
  const auto found = reply.headers.find(name);
  return found == reply.headers.end() ? std::string() : found->second;
}

Condition condition_of(HttpFailure::Kind kind) {
  switch (kind) {
    case HttpFailure::Kind::not_sent:
      return Condition::not_sent;
    case HttpFailure::Kind::bad_certificate:
      return Condition::bad_certificate;
    case HttpFailure::Kind::too_large:
      return Condition::too_large;
    default:
      return Condition::broken;
  }
}

double random_part() {
  thread_local std::mt19937 generator{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(generator);
}

}  // namespace

void RequestLog::count(std::string_view name) {
  cloudai::host().count_request(name);
}

HttpResult RequestLog::send(HttpTransport& transport, const HttpRequest& request, std::string_view name) {
  count(name);
  return transport.send(request);
}

Attempt RequestLog::judged(const HttpResult& result) const {
  if (const auto* failure = std::get_if<HttpFailure>(&result)) {
    if (failure->kind == HttpFailure::Kind::cancelled) {
      throw cloudai::Error(cloudai::Status::cancelled, "A request to Run:ai was ended, as cloudai stops.");
    }
    return {condition_of(failure->kind), 0, secrets_.hide(failure->text)};
  }
  const auto& reply = std::get<HttpReply>(result);
  std::string message = "status " + std::to_string(reply.status);
  if (reply.status >= 300 && reply.status < 400) {
    const std::string location = secrets_.hide(header_of(reply, "location"));
    return {Condition::redirected, reply.status,
            message + ", which sends to " + (location.empty() ? "another place" : "'" + without_query(location) + "'")};
  }
  if (reply.status >= 400) {
    const std::string said = server_message(reply.body, secrets_);
    if (!said.empty()) message += ": " + said;
  }
  return {Condition::status, reply.status, message};
}

void RequestLog::note_failure(const HttpRequest& request, const Attempt& attempt, int number, milliseconds took) const {
  cloudai::host().log_debug(request.method + " " + without_query(request.target) + ", attempt " +
                            std::to_string(number) + ", after " + std::to_string(took.count()) +
                            " ms: " + attempt.message);
}

std::string sentence(std::string text) {
  if (text.empty() || std::string_view(".!?").find(text.back()) == std::string_view::npos) text += '.';
  return text;
}

void pause(milliseconds time, const Patience& patience) {
  const auto end = std::min(steady_clock::now() + time, patience.until);
  while (steady_clock::now() < end) {
    if (patience.heeds_cancellation && cloudai::host().is_cancelled()) {
      throw cloudai::Error(cloudai::Status::cancelled, "A request to Run:ai was ended, as cloudai stops.");
    }
    std::this_thread::sleep_for(
        std::min<steady_clock::duration>(end - steady_clock::now(), std::chrono::milliseconds(50)));
  }
}

milliseconds pause_after(const HttpResult& result, int attempt) {
  if (const auto* reply = std::get_if<HttpReply>(&result)) {
    const auto wished = retry_after(header_of(*reply, "retry-after"), header_of(*reply, "date"));
    if (wished) return *wished;
  }
  return backoff(attempt, random_part());
}

}  // namespace runai
