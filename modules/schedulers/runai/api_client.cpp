#include "api_client.hpp"

#include "cloudai/error.hpp"

namespace runai {
namespace {

using cloudai::Error;
using cloudai::Json;
using cloudai::Status;
using std::chrono::milliseconds;

constexpr milliseconds create_limit{60000};

// Fills in the document of a success. False if it is not what a success looks like.
bool read_document(const ApiCall& call, const std::string& body, ApiReply& reply) {
  if (body.find_first_not_of(" \t\r\n") == std::string::npos) return call.kind == Call::change;
  reply.body = Json::parse(body, nullptr, false);
  // What a deletion says beside its status does not matter.
  if (reply.body.is_discarded()) {
    reply.body = nullptr;
    return call.kind == Call::change;
  }
  if (call.needed_key == nullptr) return reply.body.is_structured() || call.kind == Call::change;
  const auto found = reply.body.is_object() ? reply.body.find(call.needed_key) : reply.body.end();
  return reply.body.is_object() && found != reply.body.end() && found->is_string() &&
         !found->get_ref<const std::string&>().empty();
}

}  // namespace

ApiReply ApiClient::call(const ApiCall& call, const Patience& patience) {
  HttpRequest request;
  request.method = call.method;
  request.server = options_.base_url;
  request.target = options_.base_url.path + call.path;
  request.body = call.body;
  request.patience = patience;
  if (call.kind == Call::create) request.limit = create_limit;
  bool is_renewed = false;
  std::string token = tokens_.token(patience);
  for (int number = 1;; ++number) {
    request.headers = {{"Accept", "application/json"}, {"Authorization", "Bearer " + token}};
    if (!call.body.empty()) request.headers.emplace_back("Content-Type", "application/json");
    const auto started = std::chrono::steady_clock::now();
    const HttpResult result = log_.send(transport_, request, call.name);
    Attempt attempt = log_.judged(result);
    ApiReply reply{action_for(call.kind, attempt.condition, attempt.status), attempt.status, {}, attempt.message};
    if (reply.action == Action::accept) {
      if (read_document(call, std::get<HttpReply>(result).body, reply)) return reply;
      attempt.message = reply.message += ", but the reply is not the document that belongs to it";
      reply.action = action_for(call.kind, Condition::unusable, attempt.status);
    }
    if (reply.action != Action::not_there) {
      log_.note_failure(request, attempt, number,
                        std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - started));
    }
    if (reply.action == Action::renew_token) {
      if (is_renewed) return {Action::fail, attempt.status, {}, attempt.message};
      is_renewed = true;
      token = tokens_.renewed(token, patience);
      --number;
      continue;
    }
    if (reply.action != Action::retry) return reply;
    if (number >= attempts_of(call.kind) || std::chrono::steady_clock::now() >= patience.until) return reply;
    pause(pause_after(result, number), patience);
    token = tokens_.token(patience);
  }
}

Json ApiClient::get(const std::string& path, const std::string& name, const std::string& what,
                    const Patience& patience) {
  const ApiReply reply = call({Call::get, "GET", path, name}, patience);
  if (reply.action == Action::accept) return reply.body;
  if (reply.action == Action::not_there) return nullptr;
  const bool may_help_later = reply.action == Action::retry;
  throw Error(may_help_later ? Status::unavailable : Status::failed,
              what + " cannot be asked for: " + sentence(reply.message), hint_for(reply.status));
}

std::string hint_for(int status) {
  switch (status) {
    case 401:
      return "The tenant takes no token of this application: check that it belongs to the tenant of 'base_url'.";
    case 403:
      return "The application lacks a role: in Run:ai, give it one that may create, view and delete workloads in the "
             "scope of the project.";
    case 404:
    case 405:
      return "Check 'base_url', and that the tenant's release is 2.18 or later.";
    default:
      return status >= 300 && status < 400 ? "Set 'base_url' to the address of the tenant itself." : "";
  }
}

}  // namespace runai
