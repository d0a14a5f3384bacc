// The forms in which Run:ai gives tokens, and how long one lives.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http.hpp"
#include "system_options.hpp"

namespace runai {

// Newest first. Releases: 2.24, 2.20, all (deprecated).
enum class Grant { oauth2, client_credentials, app_token };

std::vector<Grant> grants_of(Auth auth);

// Method, path, headers and body; the server is left to the caller.
HttpRequest token_request(Grant grant, const std::string& client_id, const std::string& client_secret);

struct GrantedToken {
  std::string token;
  std::optional<std::chrono::seconds> expires_in;
};

// What a reply holds; nothing if there is no token in it.
std::optional<GrantedToken> parse_token_reply(std::string_view body);

// How long the token may be used: what the reply says, else what the token itself says (JWT) by the clock of the server
// that made it, else five minutes. `date` is the reply's Date header.
std::chrono::seconds lifetime_of(const GrantedToken& token, std::string_view date);

// After so much of its life a token is replaced.
std::chrono::seconds usable_part(std::chrono::seconds lifetime);

}  // namespace runai
