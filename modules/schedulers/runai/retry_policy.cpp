#include "retry_policy.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>

namespace runai {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds first_pause{500};
constexpr milliseconds longest_pause{30000};
constexpr milliseconds longest_wished_pause{60000};

Action action_for_status(Call call, int status) {
  if (status >= 200 && status < 300) return Action::accept;
  switch (status) {
    case 400:
      return call == Call::token ? Action::next_grant : Action::fail;
    case 401:
      return call == Call::token ? Action::fail : Action::renew_token;
    case 404:
      if (call == Call::token) return Action::next_grant;
      return call == Call::create ? Action::fail : Action::not_there;
    case 409:
      if (call == Call::create) return Action::conflict;
      return call == Call::change ? Action::retry : Action::fail;
    case 429:
      return Action::retry;
    case 500:
    case 502:
    case 503:
    case 504:
      return call == Call::create ? Action::reconcile : Action::retry;
    default:
      return Action::fail;
  }
}

}  // namespace

Action action_for(Call call, Condition condition, int status) {
  switch (condition) {
    case Condition::status:
      return action_for_status(call, status);
    case Condition::not_sent:
      return Action::retry;
    case Condition::broken:
      return call == Call::create ? Action::reconcile : Action::retry;
    case Condition::unusable:
      if (call == Call::token) return Action::fail;
      return call == Call::create ? Action::reconcile : Action::retry;
    default:
      return Action::fail;
  }
}

int attempts_of(Call call) {
  return call == Call::token ? 3 : 5;
}

milliseconds backoff(int attempt, double random) {
  const double full = static_cast<double>(first_pause.count()) * std::pow(2.0, std::max(attempt, 1) - 1);
  const double bounded = std::min(full, static_cast<double>(longest_pause.count()));
  return milliseconds(static_cast<long long>(bounded * random));
}

std::optional<long long> parse_http_date(std::string_view text) {
  std::tm parts{};
  const std::string copy(text);
  const char* const end = ::strptime(copy.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return static_cast<long long>(::timegm(&parts));
}

std::optional<milliseconds> retry_after(std::string_view header, std::string_view date) {
  long long seconds = 0;
  const auto [end, error] = std::from_chars(header.data(), header.data() + header.size(), seconds);
  if (header.empty() || error == std::errc::invalid_argument || end != header.data() + header.size()) {
    const auto until = parse_http_date(header);
    if (!until) return std::nullopt;
    // By the server's clock, as it is the server that named the time.
    seconds = *until - parse_http_date(date).value_or(static_cast<long long>(std::time(nullptr)));
  } else if (error == std::errc::result_out_of_range) {
    seconds = longest_wished_pause.count();
  }
  return std::clamp(milliseconds(std::min(seconds, 3600LL) * 1000), milliseconds(0), longest_wished_pause);
}

}  // namespace runai
