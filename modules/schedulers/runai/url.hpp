// Addresses of the servers that are talked to.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace runai {

struct Url {
  bool is_tls = true;
  std::string host;  // without the brackets of an IPv6 address
  std::string port;
  std::string path;  // "" or "/…", without a slash at the end
};

// "https://host:port/path". Nothing for what is none of http and https, or names no host. A user name in it is refused,
// too: it would stand in every log.
std::optional<Url> parse_url(std::string_view text);

// The same, but a text without a scheme, "host.example.com/", is taken for https.
std::optional<Url> parse_domain(std::string_view text);

// Whether nothing sent to the host leaves this machine: 127.0.0.1, ::1, localhost.
bool is_loopback(const Url& url);

// "host", or "host:port" where the port is not the usual one.
std::string authority(const Url& url);

// "https://host:port/path"
std::string to_text(const Url& url);

// One part of a path or a value of a query: everything but letters, digits and "-._~" as %XX.
std::string percent_encoded(std::string_view text);

}  // namespace runai
