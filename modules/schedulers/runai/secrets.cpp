#include "secrets.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cloudai/documents/value.hpp"
#include "cloudai/shell_text.hpp"
#include "url.hpp"

namespace runai {
namespace {

using cloudai::Json;

constexpr std::size_t shortest = 4;  // a shorter one would be found everywhere
constexpr std::size_t longest_message = 1000;

void replace_all(std::string& text, const std::string& from) {
  constexpr std::string_view to = "redacted";
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::string text_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

void append(std::string& text, const std::string& more, const char* between) {
  if (more.empty()) return;
  text += (text.empty() ? "" : between) + more;
}

std::string text_of_document(const Json& document) {
  std::string text = text_in(document, "message");
  append(text, text_in(document, "details"), "; ");
  append(text, text_in(document, "error"), "; ");
  append(text, text_in(document, "error_description"), ": ");
  const auto issues = document.find("complianceIssues");
  if (issues == document.end() || !issues->is_array()) return text;
  for (const Json& issue : *issues) {
    if (!issue.is_object()) continue;
    std::string line = text_in(issue, "field");
    append(line, text_in(issue, "details"), ": ");
    append(text, line, "; ");
  }
  return text;
}

// The words of a page that a proxy made.
std::string without_tags(const std::string& page) {
  std::string text;
  bool is_tag = false;
  for (const char c : page) {
    if (c == '<') is_tag = true;
    if (!is_tag) text += c;
    if (c == '>') {
      is_tag = false;
      text += ' ';
    }
  }
  return text;
}

std::string with_single_blanks(const std::string& line) {
  std::string text;
  for (const char c : line) {
    if (c != ' ' || (!text.empty() && text.back() != ' ')) text += c;
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// Not in the middle of a character.
std::string shortened(std::string text) {
  if (text.size() <= longest_message) return text;
  std::size_t end = longest_message;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

}  // namespace

void Secrets::add(std::string secret) {
  if (secret.size() < shortest) return;
  const std::lock_guard lock(mutex_);
  std::string quoted = Json(secret).dump(-1, ' ', false, Json::error_handler_t::replace);
  quoted = quoted.substr(1, quoted.size() - 2);
  for (std::string& form : std::vector<std::string>{quoted, percent_encoded(secret), std::move(secret)}) {
    if (std::find(secrets_.begin(), secrets_.end(), form) == secrets_.end()) secrets_.push_back(std::move(form));
  }
}

std::string Secrets::hide(std::string text) const {
  const std::lock_guard lock(mutex_);
  for (const std::string& secret : secrets_) replace_all(text, secret);
  return text;
}

std::string server_message(const std::string& body, const Secrets& secrets) {
  const Json document = Json::parse(body, nullptr, false);
  std::string text;
  if (document.is_object()) {
    text = text_of_document(document);
  } else if (document.is_discarded()) {
    text = without_tags(body.substr(0, 16 * longest_message));
  }
  // Secrets first: one that is cut would not be found.
  return shortened(with_single_blanks(cloudai::one_line(secrets.hide(std::move(text)))));
}

}  // namespace runai
