// The one file that knows valijson, which is slow to compile. valijson is the judge; the sentences are ours
// (violations.hpp) wherever we have one.
#include "core/config/schema_check.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <utility>

// Otherwise valijson ends the program over a schema that is none.
#define VALIJSON_USE_EXCEPTIONS 1

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include "core/config/schema_walk.hpp"

namespace cloudai::config {
namespace {

// std::regex recurses once for each character; a text this long matches no pattern a person would write.
constexpr std::size_t longest_matched_text = 4096;

// valijson's adapter takes the JSON type that sorts its keys.
nlohmann::json sorted_json(const Node& node) {
  if (const auto* array = std::get_if<Array>(&node.value)) {
    auto json = nlohmann::json::array();
    for (const Node& item : *array) json.push_back(sorted_json(item));
    return json;
  }
  if (const auto* table = std::get_if<Table>(&node.value)) {
    auto json = nlohmann::json::object();
    for (const Entry& entry : *table) json[entry.key] = sorted_json(entry.node);
    return json;
  }
  return nlohmann::json(to_json(node));
}

// "<root>", "[cmd_args]", "[0]" → "/cmd_args/0".
std::string pointer_of(const std::vector<std::string>& context) {
  std::string pointer;
  for (const std::string& step : context) {
    if (step.size() < 2 || step.front() != '[') continue;
    pointer += '/';
    for (const char c : std::string_view(step).substr(1, step.size() - 2)) {
      pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    }
  }
  return pointer;
}

using Pointers = std::set<std::string, std::less<>>;

bool has_at_or_above(const Pointers& pointers, std::string_view pointer) {
  while (!pointers.contains(pointer)) {
    if (pointer.empty()) return false;
    pointer = pointer.substr(0, pointer.rfind('/'));
  }
  return true;
}

bool has_below(const Pointers& pointers, const std::string& pointer) {
  const auto next = pointers.lower_bound(pointer + "/");
  return next != pointers.end() && next->starts_with(pointer + "/");
}

// "/partitions/0/name" → "partitions[0].name", below the subject's own path.
std::string shown(std::string_view pointer, const Subject& subject) {
  std::string path = subject.path;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    const std::string token(pointer.substr(0, end));
    const bool is_index = !token.empty() && token.find_first_not_of("0123456789") == token.npos;
    path += is_index ? "[" + token + "]" : (path.empty() ? "" : ".") + token;
    pointer.remove_prefix(end);
  }
  return path;
}

// Texts too long for the patterns that they would have to match.
void find_long_texts(const Node& node, const Json& schema, const std::string& pointer, const Position& position,
                     const Subject& subject, std::vector<Violation>& found) {
  if (const auto* text = std::get_if<std::string>(&node.value)) {
    if (text->size() <= longest_matched_text || schema.dump().find("\"pattern\"") == std::string::npos) return;
    found.push_back({pointer, position,
                     "'" + shown(pointer, subject) + "': found a string of " + std::to_string(text->size()) +
                         " bytes, expected at most " + std::to_string(longest_matched_text) + "."});
  } else if (const auto* array = std::get_if<Array>(&node.value)) {
    for (std::size_t i = 0; i < array->size(); ++i) {
      find_long_texts((*array)[i], schema, pointer + "/" + std::to_string(i), (*array)[i].position, subject, found);
    }
  } else if (const auto* table = std::get_if<Table>(&node.value)) {
    for (const Entry& entry : *table) {
      const Json* member = member_schema(schema, entry.key);
      if (member != nullptr)
        find_long_texts(entry.node, *member, pointer + "/" + entry.key, entry.key_position, subject, found);
    }
  }
}

// What a JSON pointer names first: a member, and the item of it if that is a list.
struct Fault {
  std::string member;
  std::optional<std::size_t> item;
};

Fault fault_of(const std::string& pointer) {
  Fault fault;
  const std::size_t slash = std::min(pointer.find('/', 1), pointer.size());
  if (!pointer.empty()) fault.member = pointer.substr(1, slash - 1);
  const std::string rest = slash < pointer.size() ? pointer.substr(slash + 1) : "";
  const std::string index = rest.substr(0, rest.find('/'));
  const bool is_index = !index.empty() && index.size() < 10 && index.find_first_not_of("0123456789") == index.npos;
  if (is_index) fault.item = std::stoul(index);
  return fault;
}

void remove_faults(Node& value, const std::vector<Violation>& found) {
  auto* table = std::get_if<Table>(&value.value);
  if (table == nullptr) return;
  // Looking each one up in the table would make a long one quadratic.
  std::set<std::string_view> lists;
  for (const Entry& entry : *table) {
    if (std::holds_alternative<Array>(entry.node.value)) lists.insert(entry.key);
  }
  std::map<std::string, std::set<std::size_t>> items;
  std::set<std::string> members;
  for (const Violation& violation : found) {
    const Fault fault = fault_of(violation.pointer);
    if (fault.item && lists.contains(fault.member)) {
      items[fault.member].insert(*fault.item);
    } else {
      members.insert(fault.member);
    }
  }
  std::erase_if(*table, [&](const Entry& entry) { return members.contains(entry.key); });
  for (Entry& entry : *table) {
    const auto faulty = items.find(entry.key);
    if (faulty == items.end()) continue;
    std::size_t index = 0;
    std::erase_if(std::get<Array>(entry.node.value), [&](const Node&) { return faulty->second.contains(index++); });
  }
}

void report(std::vector<Violation> found, Diagnostics& diagnostics) {
  for (Violation& violation : found) diagnostics.error(std::move(violation.position), std::move(violation.sentence));
}

}  // namespace

struct Schema::Compiled {
  Json json;
  valijson::Schema schema;
  bool has_pattern = false;
  // Keeps the regular expressions it has compiled, which take most of the time of a check.
  mutable valijson::Validator validator;
};

Schema::Schema(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

const Json& Schema::json() const {
  return compiled_->json;
}

Result<Schema> Schema::compile(Json json) {
  auto compiled = std::make_shared<Compiled>();
  try {
    const nlohmann::json sorted = json;
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(sorted), compiled->schema);
    compiled->has_pattern = json.dump().find("\"pattern\"") != std::string::npos;
  } catch (const std::exception& failure) {
    return trouble(std::string("the schema of the options is no JSON Schema: ") + failure.what() + ".");
  }
  compiled->json = std::move(json);
  return Schema(std::move(compiled));
}

std::vector<Violation> Schema::find(const Node& value, const Subject& subject) const {
  std::vector<Violation> found;
  if (compiled_->has_pattern) find_long_texts(value, json(), "", value.position, subject, found);
  if (!found.empty()) return found;
  try {
    const nlohmann::json sorted = sorted_json(value);
    const valijson::adapters::NlohmannJsonAdapter target(sorted);
    if (compiled_->validator.validate(compiled_->schema, target, nullptr)) return found;
    found = violations(value, json(), subject);
    Pointers explained;
    for (const Violation& violation : found) explained.insert(violation.pointer);
    valijson::ValidationResults results;
    compiled_->validator.validate(compiled_->schema, target, &results);
    Pointers faults;
    for (const auto& result : results) faults.insert(pointer_of(result.context));
    for (const auto& result : results) {
      const std::string pointer = pointer_of(result.context);
      const bool is_known = has_at_or_above(explained, pointer) || has_below(explained, pointer);
      // valijson says of every table above a fault that it has one.
      if (is_known || has_below(faults, pointer)) continue;
      const std::string place = pointer.empty() ? subject.owner : "'" + shown(pointer, subject) + "'";
      found.push_back({pointer, position_of(value, pointer), place + ": " + result.description});
    }
  } catch (const std::exception& failure) {
    found.push_back(
        {"", value.position, "the schema of " + subject.owner + " cannot be applied: " + failure.what() + "."});
  }
  return found;
}

bool Schema::check(const Node& value, const Subject& subject, Diagnostics& diagnostics) const {
  std::vector<Violation> found = find(value, subject);
  const bool is_good = found.empty();
  report(std::move(found), diagnostics);
  return is_good;
}

Node Schema::good_part(Node value, const Subject& subject, Diagnostics& diagnostics) const {
  std::vector<Violation> found = find(value, subject);
  remove_faults(value, found);
  report(std::move(found), diagnostics);
  return value;
}

}  // namespace cloudai::config
