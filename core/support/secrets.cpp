#include "core/support/secrets.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace cloudai {

bool is_secret_name(std::string_view name) {
  constexpr std::array words = {std::string_view("TOKEN"), std::string_view("KEY"), std::string_view("SECRET"),
                                std::string_view("PASSWORD")};
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return upper.find(word) != std::string::npos; });
}

namespace {

// As it stands in a word that a shell reads, between single quotes.
std::string within_quotes(const std::string& secret) {
  std::string text;
  for (const char c : secret) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text;
}

}  // namespace

std::string without_secrets(std::string text, std::vector<std::string> secrets) {
  constexpr std::size_t shortest = 4;
  for (std::size_t i = 0, count = secrets.size(); i < count; ++i) {
    if (secrets[i].find('\'') != std::string::npos) secrets.push_back(within_quotes(secrets[i]));
  }
  // One may be part of another.
  std::sort(secrets.begin(), secrets.end(),
            [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  for (const std::string& secret : secrets) {
    if (secret.size() < shortest) continue;
    for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at + redacted.size())) {
      text.replace(at, secret.size(), redacted);
    }
  }
  return text;
}

}  // namespace cloudai
