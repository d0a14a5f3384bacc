#include "tests/runai_simulator/tokens.hpp"

#include <algorithm>

namespace runai_simulator {
namespace {

const Client* client_with(const Tenant& tenant, const std::string& id, const std::string& secret) {
  for (const auto& client : tenant.clients) {
    if (client.id == id && client.secret == secret) return &client;
  }
  return nullptr;
}

// A JSON web token whose signature nobody can check.
std::string issue(Tenant& tenant, const std::string& client, const Settings& settings, Random& random,
                  Milliseconds now) {
  const auto expires = now / 1000 + settings.token_ttl_seconds;
  const Json header{{"alg", "RS256"}, {"typ", "JWT"}};
  const Json payload{{"sub", client}, {"iat", now / 1000}, {"exp", expires}, {"jti", random_uuid(random)}};
  auto token = base64url(header.dump()) + "." + base64url(payload.dump()) + "." + base64url(random_letters(random, 32));
  tenant.tokens[token] = {client, expires * 1000};
  return token;
}

Answer oauth_error(int status, const std::string& error, const std::string& description) {
  return json_answer(status, {{"error", error}, {"error_description", description}});
}

std::map<std::string, std::string> texts_with_lower_keys(const Json& body) {
  std::map<std::string, std::string> fields;
  for (const auto& [key, value] : body.items()) {
    if (value.is_string()) fields[lower_case(key)] = value.get<std::string>();
  }
  return fields;
}

}  // namespace

Answer token_v1(const HttpRequest& request, Tenant& tenant, const Settings& settings, Random& random,
                Milliseconds now) {
  const auto body = parsed_body(request);
  if (!body.is_object()) return error_answer(400, "The body is no JSON object.");
  auto fields = texts_with_lower_keys(body);
  const auto grant = fields["granttype"];
  const bool credentials = grant == "client_credentials" && at_least(settings, "2.20");
  if (!credentials && grant != "app_token") return error_answer(400, "Unsupported grant type", grant);
  const auto id = fields[credentials ? "clientid" : "appid"];
  const auto secret = fields[credentials ? "clientsecret" : "appsecret"];
  if (id.empty() || secret.empty()) return error_answer(400);
  if (client_with(tenant, id, secret) == nullptr) {
    return error_answer(settings.wrong_secret_status, "Invalid client or Invalid client credentials");
  }
  Json answer{{"accessToken", issue(tenant, id, settings, random, now)}};
  if (at_least(settings, "2.24")) answer["expiresIn"] = settings.token_ttl_seconds;
  return json_answer(200, answer);
}

Answer token_v2(const HttpRequest& request, Tenant& tenant, const Settings& settings, Random& random,
                Milliseconds now) {
  if (!at_least(settings, "2.24")) return error_answer(404);
  auto fields = decode_form(request.body);
  if (fields["grant_type"] != "client_credentials") {
    return oauth_error(400, "unsupported_grant_type", "Only client_credentials are supported");
  }
  const auto id = fields["client_id"];
  if (id.empty() || fields["client_secret"].empty()) {
    return oauth_error(400, "invalid_request", "client_id or client_secret is missing");
  }
  if (client_with(tenant, id, fields["client_secret"]) == nullptr) {
    return oauth_error(401, "invalid_client", "Invalid client or Invalid client credentials");
  }
  return json_answer(200, {{"access_token", issue(tenant, id, settings, random, now)},
                           {"token_type", "Bearer"},
                           {"expires_in", settings.token_ttl_seconds}});
}

std::string bearer_of(const HttpRequest& request) {
  const auto header = request.headers.find("authorization");
  if (header == request.headers.end() || lower_case(header->second.substr(0, 7)) != "bearer ") return "";
  return header->second.substr(7);
}

void revoke_tokens(Tenant& tenant) {
  for (const auto& [token, about] : tenant.tokens) tenant.revoked_tokens.push_back(token);
  tenant.tokens.clear();
}

std::optional<Answer> refusal(const HttpRequest& request, const Tenant& tenant, Milliseconds now) {
  const auto token = tenant.tokens.find(bearer_of(request));
  if (token == tenant.tokens.end()) return error_answer(401);
  if (token->second.expires <= now) return error_answer(401, "Token is expired");
  for (const auto& client : tenant.clients) {
    if (client.id != token->second.client) continue;
    if (matches_any(client.denied, request.method + " " + request.path)) return error_answer(403);
    return std::nullopt;
  }
  return error_answer(401, "The client of the token is gone");
}

}  // namespace runai_simulator
