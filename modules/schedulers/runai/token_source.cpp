#include "token_source.hpp"

#include "cloudai/error.hpp"
#include "cloudai/host.hpp"

namespace runai {
namespace {

using cloudai::Error;
using cloudai::Status;
using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr const char* credentials_hint = "Check 'base_url', 'app_id' and the secret in the system file.";

[[noreturn]] void refuse(const std::string& refusal) {
  throw Error(Status::invalid_config, "Run:ai gives no token for these credentials: " + sentence(refusal),
              credentials_hint);
}

[[noreturn]] void refuse_certificate(const std::string& why) {
  throw Error(Status::invalid_config, "Run:ai was not asked for a token: " + sentence(why),
              "Check 'base_url', and set 'ca_file' to the certificate of the authority that signed the tenant's.");
}

}  // namespace

TokenSource::TokenSource(HttpTransport& transport, const SystemOptions& options, RequestLog& log, SteadyNow now)
    : transport_(transport), options_(options), log_(log), now_(std::move(now)), grants_(grants_of(options.auth)) {
  log_.secrets().add(options.client_secret);
}

std::string TokenSource::token(const Patience& patience) {
  const std::lock_guard lock(mutex_);
  return token_.empty() || now_() >= good_until_ ? fetch(patience) : token_;
}

std::string TokenSource::renewed(const std::string& refused, const Patience& patience) {
  const std::lock_guard lock(mutex_);
  // Whoever came first has renewed it for all.
  return token_ != refused && !token_.empty() && now_() < good_until_ ? token_ : fetch(patience);
}

std::string TokenSource::fetch(const Patience& patience) {
  std::string refusal;
  for (std::size_t i = 0; i < grants_.size(); ++i) {
    const Grant grant = grants_[i];
    if (auto token = fetch_as(grant, patience, refusal)) {
      grants_ = {grant};
      return *token;
    }
  }
  refuse(refusal);
}

// Nothing where the tenant does not know the form; `refusal` says how it put it.
std::optional<std::string> TokenSource::fetch_as(Grant grant, const Patience& patience, std::string& refusal) {
  HttpRequest request = token_request(grant, options_.client_id, options_.client_secret);
  request.server = options_.base_url;
  request.target = options_.base_url.path + request.target;
  request.patience = patience;
  for (int number = 1;; ++number) {
    const SteadyTime asked = now_();
    const HttpResult result = log_.send(transport_, request, "POST token");
    Attempt attempt = log_.judged(result);
    Action action = action_for(Call::token, attempt.condition, attempt.status);
    if (action == Action::accept) {
      const auto& reply = std::get<HttpReply>(result);
      if (const auto granted = parse_token_reply(reply.body)) {
        const auto date = reply.headers.find("date");
        keep(*granted, date == reply.headers.end() ? std::string_view() : date->second, asked);
        return token_;
      }
      attempt.message += ", but there is no token in the reply";
      action = action_for(Call::token, Condition::unusable, attempt.status);
    }
    log_.note_failure(request, attempt, number, duration_cast<milliseconds>(now_() - asked));
    refusal = attempt.message;
    if (action == Action::next_grant) return std::nullopt;
    if (attempt.condition == Condition::bad_certificate) refuse_certificate(refusal);
    if (action != Action::retry) refuse(refusal);
    if (number >= attempts_of(Call::token)) {
      throw Error(Status::unavailable, "Run:ai gives no token at present: " + sentence(refusal));
    }
    pause(pause_after(result, number), patience);
  }
}

void TokenSource::keep(const GrantedToken& granted, std::string_view date, SteadyTime asked) {
  token_ = granted.token;
  log_.secrets().add(token_);
  good_until_ = asked + usable_part(lifetime_of(granted, date));
}

}  // namespace runai
