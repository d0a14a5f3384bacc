#include "core/config/document.hpp"

#include <algorithm>
#include <utility>

namespace cloudai::config {
namespace {

// One step of a JSON pointer, with "~1" and "~0" undone.
std::string next_token(std::string_view& pointer) {
  pointer.remove_prefix(1);
  const std::size_t end = std::min(pointer.find('/'), pointer.size());
  std::string token;
  for (std::size_t i = 0; i < end; ++i) {
    const bool escaped = pointer[i] == '~' && i + 1 < end;
    if (escaped && (pointer[i + 1] == '0' || pointer[i + 1] == '1')) {
      token += pointer[++i] == '0' ? '~' : '/';
    } else {
      token += pointer[i];
    }
  }
  pointer.remove_prefix(end);
  return token;
}

const Entry* find_entry(const Node& node, std::string_view key) {
  const Table* table = std::get_if<Table>(&node.value);
  if (table == nullptr) return nullptr;
  const auto found = std::find_if(table->begin(), table->end(), [&](const Entry& entry) { return entry.key == key; });
  return found == table->end() ? nullptr : &*found;
}

const Node* element(const Node& node, const std::string& token) {
  const Array* array = std::get_if<Array>(&node.value);
  const bool is_index = !token.empty() && token.size() < 10 && token.find_first_not_of("0123456789") == token.npos;
  if (array == nullptr || !is_index) return nullptr;
  const std::size_t index = std::stoul(token);
  return index < array->size() ? &(*array)[index] : nullptr;
}

}  // namespace

std::string to_string(const Position& position) {
  std::string text = position.file ? *position.file : std::string();
  if (position.line != 0) text += ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
  return text;
}

const Node* Node::find(std::string_view key) const {
  const Entry* entry = find_entry(*this, key);
  return entry == nullptr ? nullptr : &entry->node;
}

Json to_json(const Node& node) {
  if (const auto* boolean = std::get_if<bool>(&node.value)) return *boolean;
  if (const auto* integer = std::get_if<std::int64_t>(&node.value)) return *integer;
  if (const auto* number = std::get_if<double>(&node.value)) return *number;
  if (const auto* text = std::get_if<std::string>(&node.value)) return *text;
  if (const auto* array = std::get_if<Array>(&node.value)) {
    Json json = Json::array();
    for (const Node& item : *array) json.push_back(to_json(item));
    return json;
  }
  if (const auto* table = std::get_if<Table>(&node.value)) {
    Json json = Json::object();
    // push_back, since looking for the key first would make a long table quadratic; a table holds no key twice.
    auto& members = json.get_ref<Json::object_t&>();
    for (const Entry& entry : *table) members.push_back({entry.key, to_json(entry.node)});
    return json;
  }
  return nullptr;
}

Node to_node(const Json& json, const Position& position) {
  Node node{{}, position};
  if (json.is_boolean()) node.value = json.get<bool>();
  if (json.is_number_integer()) node.value = json.get<std::int64_t>();
  if (json.is_number_float()) node.value = json.get<double>();
  if (json.is_string()) node.value = json.get<std::string>();
  if (json.is_array()) {
    Array array;
    for (const Json& item : json) array.push_back(to_node(item, position));
    node.value = std::move(array);
  }
  if (json.is_object()) {
    Table table;
    for (const auto& [key, member] : json.items()) table.push_back({key, position, to_node(member, position)});
    node.value = std::move(table);
  }
  return node;
}

Position position_of(const Node& root, std::string_view json_pointer) {
  const Node* node = &root;
  Position position = root.position;
  while (!json_pointer.empty()) {
    const std::string token = next_token(json_pointer);
    if (const Entry* entry = find_entry(*node, token)) {
      node = &entry->node;
      position = entry->key_position;
    } else if (const Node* item = element(*node, token)) {
      node = item;
      position = item->position;
    } else {
      break;
    }
  }
  return position;
}

Node merge(const Node& base, const Node& over) {
  const Table* base_table = std::get_if<Table>(&base.value);
  const Table* over_table = std::get_if<Table>(&over.value);
  if (base_table == nullptr || over_table == nullptr) return over;
  Table merged = *base_table;
  for (const Entry& entry : *over_table) {
    const auto same = std::find_if(merged.begin(), merged.end(), [&](const Entry& e) { return e.key == entry.key; });
    if (same == merged.end()) {
      merged.push_back(entry);
    } else {
      *same = {entry.key, entry.key_position, merge(same->node, entry.node)};
    }
  }
  return {std::move(merged), base.position};
}

}  // namespace cloudai::config
