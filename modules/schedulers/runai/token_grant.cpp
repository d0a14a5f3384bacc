#include "token_grant.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include "cloudai/documents/value.hpp"
#include "retry_policy.hpp"

namespace runai {
namespace {

using cloudai::Json;
using std::chrono::seconds;

constexpr seconds assumed_lifetime{300};

// base64url without padding, as in a JWT; nothing if it is none.
std::optional<std::string> decoded(std::string_view text) {
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    if (c == '=') break;
    const auto value = alphabet.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    bits = (bits << 6U) | static_cast<unsigned>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xffU);
    }
  }
  return bytes;
}

std::optional<long long> number_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (found->is_number()) return static_cast<long long>(found->get<double>());
  if (!found->is_string()) return std::nullopt;
  const std::string text = found->get<std::string>();
  const bool is_number = !text.empty() && text.size() < 16 && text.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? std::optional(std::stoll(text)) : std::nullopt;
}

Json payload_of(std::string_view token) {
  const auto first = token.find('.');
  const auto second = first == std::string_view::npos ? first : token.find('.', first + 1);
  if (second == std::string_view::npos) return {};
  const auto text = decoded(token.substr(first + 1, second - first - 1));
  Json payload = text ? Json::parse(*text, nullptr, false) : Json();
  return payload.is_object() ? payload : Json();
}

}  // namespace

std::vector<Grant> grants_of(Auth auth) {
  switch (auth) {
    case Auth::v2:
      return {Grant::oauth2};
    case Auth::v1:
      return {Grant::client_credentials};
    case Auth::app_token:
      return {Grant::app_token};
    default:
      return {Grant::oauth2, Grant::client_credentials, Grant::app_token};
  }
}

HttpRequest token_request(Grant grant, const std::string& client_id, const std::string& client_secret) {
  HttpRequest request;
  request.method = "POST";
  if (grant == Grant::oauth2) {
    request.target = "/api/v2/token";
    request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}, {"Accept", "application/json"}};
    request.body = "grant_type=client_credentials&client_id=" + percent_encoded(client_id) +
                   "&client_secret=" + percent_encoded(client_secret);
    return request;
  }
  request.target = "/api/v1/token";
  request.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}};
  const bool is_app = grant == Grant::app_token;
  const Json body = {{"grantType", is_app ? "app_token" : "client_credentials"},
                     {is_app ? "appID" : "clientID", client_id},
                     {is_app ? "appSecret" : "clientSecret", client_secret}};
  request.body = body.dump(-1, ' ', false, Json::error_handler_t::replace);
  return request;
}

std::optional<GrantedToken> parse_token_reply(std::string_view body) {
  const Json document = Json::parse(body, nullptr, false);
  if (!document.is_object()) return std::nullopt;
  GrantedToken granted;
  for (const char* key : {"access_token", "accessToken"}) {
    const auto found = document.find(key);
    if (found != document.end() && found->is_string() && granted.token.empty()) granted.token = *found;
  }
  // It becomes part of a header.
  const bool is_plain =
      std::all_of(granted.token.begin(), granted.token.end(), [](unsigned char c) { return c > 0x20 && c < 0x7f; });
  if (granted.token.empty() || !is_plain) return std::nullopt;
  for (const char* key : {"expires_in", "expiresIn"}) {
    const auto life = number_in(document, key);
    if (life && *life > 0 && !granted.expires_in) granted.expires_in = seconds(*life);
  }
  return granted;
}

seconds lifetime_of(const GrantedToken& token, std::string_view date) {
  if (token.expires_in) return *token.expires_in;
  const Json payload = payload_of(token.token);
  if (!payload.is_object()) return assumed_lifetime;
  const auto expires = number_in(payload, "exp");
  if (!expires) return assumed_lifetime;
  auto made = parse_http_date(date);
  if (!made) made = number_in(payload, "iat");
  const seconds life(*expires - made.value_or(static_cast<long long>(std::time(nullptr))));
  // One that was made expired: by a clock that is not the one it was compared with.
  return life > seconds(0) ? life : assumed_lifetime;
}

seconds usable_part(seconds lifetime) {
  return lifetime - std::min(seconds(60), lifetime / 10);
}

}  // namespace runai
