#include "events.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <regex>

#include "cloudai/shell_text.hpp"
#include "timestamps.hpp"

namespace runai {
namespace {

using cloudai::Json;

constexpr std::size_t shown_warnings = 3;
constexpr std::size_t longest_warning = 300;

// As Python writes a text that is looked at.
std::string python_text(const std::string& text) {
  const bool has_single = text.find('\'') != std::string::npos;
  const char quote = has_single && text.find('"') == std::string::npos ? '"' : '\'';
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\r') {
      result += "\\r";
    } else if (c == '\t') {
      result += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "\\x%02x", static_cast<unsigned>(c));
      result += code.data();
    } else {
      result += c;
    }
  }
  return result + quote;
}

const Json* member(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && !found->is_null() ? &*found : nullptr;
}

std::string text_of(const Json& object, const char* key) {
  const Json* value = member(object, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

std::string shown(const Json& object, const char* key) {
  const Json* value = member(object, key);
  if (value == nullptr) return "None";
  return value->is_string() ? python_text(value->get<std::string>()) : value->dump();
}

std::string shown_object(const Json& event) {
  const Json* object = member(event, "involvedObject");
  if (object == nullptr) return "None";
  return "InvolvedObject(uid=" + shown(*object, "uid") + ", kind=" + shown(*object, "kind") +
         ", name=" + shown(*object, "name") + ", namespace=" + shown(*object, "namespace") + ")";
}

}  // namespace

std::string event_line(const Json& event) {
  const std::string created = text_of(event, "createdAt");
  return "created_at=" + python_time(created).value_or(shown(event, "createdAt")) + " id=" + shown(event, "id") +
         " type=" + shown(event, "type") + " cluster_id=" + shown(event, "clusterId") +
         " message=" + shown(event, "message") + " reason=" + shown(event, "reason") +
         " source=" + shown(event, "source") + " involved_object=" + shown_object(event);
}

std::string last_warnings(const std::vector<Json>& events) {
  std::vector<std::string> warnings;
  for (auto event = events.rbegin(); event != events.rend() && warnings.size() < shown_warnings; ++event) {
    if (text_of(*event, "type") != "Warning") continue;
    const std::string reason = text_of(*event, "reason");
    const std::string message = cloudai::one_line(text_of(*event, "message").substr(0, longest_warning));
    std::string warning = (reason.empty() ? "" : reason + ": ") + message;
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(std::move(warning));
  }
  std::string text;
  for (auto warning = warnings.rbegin(); warning != warnings.rend(); ++warning) {
    text += (text.empty() ? "" : "; ") + *warning;
  }
  return text;
}

std::optional<int> named_exit_status(const std::vector<std::string>& texts) {
  static const std::regex pattern(R"(exit(?:ed with)?[ _-]?(?:code|status)[ :=]*(\d{1,3})\b)", std::regex::icase);
  for (const std::string& text : texts) {
    std::smatch match;
    if (!std::regex_search(text, match, pattern)) continue;
    const int status = std::stoi(match[1]);
    if (status <= 255) return status;
  }
  return std::nullopt;
}

}  // namespace runai
