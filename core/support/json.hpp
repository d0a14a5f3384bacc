// The one JSON type of the core, which keeps the order of keys, and how to look into what others wrote.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace cloudai {

using Json = nlohmann::ordered_json;

// The member `key` of an object if it is a string; else, whatever `document` is, an empty text.
inline std::string text_of(const Json& document, const char* key) {
  const auto found = document.find(key);
  return found != document.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace cloudai
