// Lists of texts in what others wrote.
#pragma once

#include <string>
#include <vector>

#include "core/support/json.hpp"

namespace cloudai {

// The texts in the list `key` of an object; else, whatever `document` is, none.
inline std::vector<std::string> texts_of(const Json& document, const char* key) {
  std::vector<std::string> texts;
  const auto found = document.find(key);
  if (found == document.end() || !found->is_array()) return texts;
  for (const Json& item : *found) {
    if (item.is_string()) texts.push_back(item.get<std::string>());
  }
  return texts;
}

}  // namespace cloudai
