#include "url.hpp"

#include <algorithm>
#include <cctype>

namespace runai {
namespace {

bool has_odd_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c <= 0x20 || c >= 0x7f; });
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// "host", "host:port", "[::1]:port"
bool read_authority(std::string_view text, Url& url) {
  std::string_view rest;
  if (!text.empty() && text.front() == '[') {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return false;
    url.host = text.substr(1, end - 1);
    rest = text.substr(end + 1);
  } else {
    const auto colon = text.find(':');
    url.host = text.substr(0, colon);
    rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon);
  }
  if (url.host.empty()) return false;
  if (rest.empty()) {
    url.port = url.is_tls ? "443" : "80";
    return true;
  }
  url.port = rest.substr(1);
  return rest.front() == ':' && is_port(url.port);
}

}  // namespace

std::optional<Url> parse_url(std::string_view text) {
  Url url;
  const auto scheme_end = text.find("://");
  if (scheme_end == std::string_view::npos || has_odd_character(text)) return std::nullopt;
  std::string scheme(text.substr(0, scheme_end));
  std::transform(scheme.begin(), scheme.end(), scheme.begin(), [](unsigned char c) { return std::tolower(c); });
  if (scheme != "http" && scheme != "https") return std::nullopt;
  url.is_tls = scheme == "https";
  text.remove_prefix(scheme_end + 3);
  if (text.find_first_of("?#@") != std::string_view::npos) return std::nullopt;
  const auto slash = std::min(text.find('/'), text.size());
  if (!read_authority(text.substr(0, slash), url)) return std::nullopt;
  url.path = text.substr(slash);
  while (!url.path.empty() && url.path.back() == '/') url.path.pop_back();
  return url;
}

std::optional<Url> parse_domain(std::string_view text) {
  if (text.find("://") != std::string_view::npos) return parse_url(text);
  return parse_url("https://" + std::string(text));
}

bool is_loopback(const Url& url) {
  return url.host == "127.0.0.1" || url.host == "::1" || url.host == "localhost";
}

std::string authority(const Url& url) {
  const bool is_ipv6 = url.host.find(':') != std::string::npos;
  const std::string host = is_ipv6 ? "[" + url.host + "]" : url.host;
  return url.port == (url.is_tls ? "443" : "80") ? host : host + ":" + url.port;
}

std::string to_text(const Url& url) {
  return (url.is_tls ? "https://" : "http://") + authority(url) + url.path;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string encoded;
  for (const char letter : text) {
    const auto c = static_cast<unsigned char>(letter);
    if (std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_' || c == '~') {
      encoded += letter;
    } else {
      encoded += '%';
      encoded += digits[c >> 4U];
      encoded += digits[c & 15U];
    }
  }
  return encoded;
}

}  // namespace runai
