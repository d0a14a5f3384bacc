#include "core/config/secret_options.hpp"

#include "core/config/schema_walk.hpp"
#include "core/support/secrets.hpp"

namespace cloudai::config {
namespace {

bool is_marked(const Json* schema) {
  return schema != nullptr && schema->is_object() && schema->value("writeOnly", Json()) == Json(true);
}

const Json* items_of(const Json* schema) {
  if (schema == nullptr || !schema->is_object()) return nullptr;
  const auto items = schema->find("items");
  return items != schema->end() ? &*items : nullptr;
}

// `schema` is null where the options go beyond it.
void collect(const Json& value, const Json* schema, const Json::json_pointer& place, std::vector<std::string>& found) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      const Json* own = schema != nullptr ? member_schema(*schema, key) : nullptr;
      // The module may know an option whose name only sounds like it, such as a number of tokens.
      const bool is_known_number = own != nullptr && !member.is_string();
      if (is_marked(own) || (is_secret_name(key) && !is_known_number && !member.is_null())) {
        found.push_back((place / key).to_string());
      } else {
        collect(member, own, place / key, found);
      }
    }
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], items_of(schema), place / i, found);
  }
}

void collect_texts(const Json& value, std::vector<std::string>& texts) {
  if (value.is_string()) texts.push_back(value.get<std::string>());
  if (value.is_number()) texts.push_back(value.dump());
  if (!value.is_structured()) return;
  for (const Json& member : value) collect_texts(member, texts);
}

}  // namespace

std::vector<std::string> secret_options(const Json& options, const Json& schema) {
  std::vector<std::string> found;
  collect(options, &schema, Json::json_pointer(), found);
  return found;
}

Json without_secrets(Json options, const std::vector<std::string>& pointers) {
  for (const std::string& pointer : pointers) {
    const Json::json_pointer place(pointer);
    if (options.contains(place)) options[place] = redacted;
  }
  return options;
}

std::vector<std::string> secret_texts(const Json& options, const std::vector<std::string>& pointers) {
  std::vector<std::string> texts;
  for (const std::string& pointer : pointers) {
    const Json::json_pointer place(pointer);
    if (options.contains(place)) collect_texts(options.at(place), texts);
  }
  return texts;
}

}  // namespace cloudai::config
