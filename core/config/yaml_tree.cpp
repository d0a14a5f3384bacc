#include "core/config/yaml_tree.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/config/yaml_scalar.hpp"

namespace cloudai::config {
namespace {

// How much aliases may repeat: a few lines of aliases of aliases would fill any memory.
constexpr std::size_t most_repeated = 1000000;

constexpr std::string_view plain = "?";
constexpr std::string_view quoted = "!";

std::size_t height_of(const Node& node) {
  std::size_t below = 0;
  if (const auto* array = std::get_if<Array>(&node.value)) {
    for (const Node& item : *array) below = std::max(below, height_of(item));
    return below + 1;
  }
  if (const auto* table = std::get_if<Table>(&node.value)) {
    for (const Entry& entry : *table) below = std::max(below, height_of(entry.node));
    return below + 1;
  }
  return 0;
}

std::size_t weight_of(const Node& node) {
  std::size_t weight = 1;
  if (const auto* text = std::get_if<std::string>(&node.value)) weight += text->size();
  if (const auto* array = std::get_if<Array>(&node.value)) {
    for (const Node& item : *array) weight += weight_of(item);
  } else if (const auto* table = std::get_if<Table>(&node.value)) {
    for (const Entry& entry : *table) weight += entry.key.size() + weight_of(entry.node);
  }
  return weight;
}

// "!!str" of "tag:yaml.org,2002:str".
std::string shown_tag(const std::string& tag) {
  constexpr std::string_view core = "tag:yaml.org,2002:";
  return tag.starts_with(core) ? "!!" + tag.substr(core.size()) : tag;
}

// Whether the quoted scalar at the beginning of `text` has its closing quote. Anchor and tag may stand before it.
bool is_closed(std::string_view text) {
  while (text.starts_with('&') || text.starts_with('!')) {
    text.remove_prefix(std::min(text.find_first_of(" \t\r\n"), text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  }
  if (!text.starts_with('"') && !text.starts_with('\'')) return true;
  const char quote = text.front();
  for (std::size_t i = 1; i < text.size(); ++i) {
    const bool is_escaped = quote == '"' ? text[i] == '\\' : text.substr(i).starts_with("''");
    if (is_escaped) {
      ++i;
    } else if (text[i] == quote) {
      return true;
    }
  }
  return false;
}

// Of a plain scalar that is a number.
bool is_integer(std::string_view text) {
  return text.starts_with("0x") || text.starts_with("0o") || text.find_first_not_of("+-0123456789") == text.npos;
}

}  // namespace

void YamlTree::refuse(Position position, std::string message) {
  diagnostics_.error(std::move(position), std::move(message));
  is_stopped_ = true;
}

Position YamlTree::at(const YAML::Mark& mark) {
  if (mark.line < 0 || mark.column < 0) return {file_, 0, 0};
  const auto line = static_cast<std::uint32_t>(mark.line) + 1;
  return {file_, line, places_.column(line, static_cast<std::size_t>(mark.column))};
}

Node YamlTree::take() {
  root_.position = {file_, 0, 0};
  return std::move(root_);
}

void YamlTree::OnDocumentStart(const YAML::Mark& mark) {
  if (is_stopped_) return;
  if (has_document_) {
    refuse(at(mark), "another document begins here, and a file holds one. Check the indentation, or make two files.");
  }
  has_document_ = true;
}

void YamlTree::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (is_stopped_ || open_.empty()) return;  // a document without anything is an empty table
  const Position position = at(mark);
  if (wants_key()) return refuse(position, "a key is missing here.");
  const auto* table = std::get_if<Table>(&open_.back().node.value);
  const std::string subject = table != nullptr ? "key '" + table->back().key + "'" : "this item of the list";
  diagnostics_.error(table != nullptr ? table->back().key_position : position,
                     subject +
                         " has no value. Give one (\"\" is an empty text, [] an empty list, {} an empty table), " +
                         "or leave it out.");
  add({std::string(), position}, anchor);
}

void YamlTree::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (is_stopped_) return;
  const Position position = at(mark);
  if (wants_key()) return refuse(position, "an alias cannot be a key; write the key out.");
  const auto found = anchored_.find(anchor);
  if (found == anchored_.end()) return refuse(position, "this alias stands inside of what it repeats.");
  if (!may_repeat(found->second.weight, position) || !may_nest(found->second.height, position)) return;
  Node copy = found->second.node;
  copy.position = position;
  add(std::move(copy), 0);
}

void YamlTree::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                        const std::string& value) {
  if (is_stopped_) return;
  const Position position = at(mark);
  check_tag(tag, position);
  if (tag == quoted && !has_closing_quote(position))
    return refuse(position, "the quote that opens here is not closed.");
  const bool is_plain = tag == plain;
  if (wants_key()) {
    read_key(position, is_plain, value);
    return remember({value, position}, anchor);
  }
  if (open_.empty()) {
    return refuse(position, "the file holds a single text, expected keys with values, such as 'name: demo'.");
  }
  Node node = is_plain ? plain_scalar(value, position) : Node{value, position};
  const auto* number = std::get_if<double>(&node.value);
  if (number != nullptr && !std::isfinite(*number)) {
    diagnostics_.error(position,
                       is_integer(value) ? "the integer " + value + " is too large." : std::string(not_finite));
  }
  if (value.find('\0') != value.npos) diagnostics_.error(position, std::string(holds_nul));
  add(std::move(node), anchor);
}

void YamlTree::OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                               YAML::EmitterStyle::value /*style*/) {
  if (open_.empty() && !is_stopped_) {
    refuse(at(mark), "the file holds a list, expected keys with values, such as 'name: demo'.");
  }
  open(mark, tag, anchor, {Array{}, {}});
}

void YamlTree::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                          YAML::EmitterStyle::value /*style*/) {
  open(mark, tag, anchor, {Table{}, {}});
}

bool YamlTree::wants_key() const {
  return !open_.empty() && std::holds_alternative<Table>(open_.back().node.value) && !open_.back().has_key;
}

void YamlTree::read_key(const Position& position, bool is_plain, const std::string& key) {
  Open& table = open_.back();
  if (is_plain && key == "<<") {
    diagnostics_.error(position,
                       "merge keys ('<<') are not supported. Write the keys out, or repeat single values by alias.");
  } else if (is_plain && !std::holds_alternative<std::string>(plain_scalar(key, position).value)) {
    diagnostics_.error(position, "the key " + key + " is no text. Write it in quotes: \"" + key + "\".");
  }
  const auto [known, is_new] = table.keys.try_emplace(key, position);
  if (!is_new) {
    diagnostics_.error(position, "key '" + key + "' is there twice, first in line " +
                                     std::to_string(known->second.line) + ", column " +
                                     std::to_string(known->second.column) + ". A key may stand only once in a table.");
  }
  std::get<Table>(table.node.value).push_back({key, position, {}});
  table.has_key = true;
}

void YamlTree::open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Node node) {
  if (is_stopped_) return;
  node.position = at(mark);
  check_tag(tag, node.position);
  if (wants_key()) return refuse(node.position, "a key has to be a text, found a list or table.");
  if (!may_nest(0, node.position)) return;
  Open& added = open_.emplace_back();
  added.node = std::move(node);
  added.anchor = anchor;
}

void YamlTree::close() {
  if (is_stopped_) return;
  Open closed = std::move(open_.back());
  open_.pop_back();
  if (open_.empty()) {
    root_ = std::move(closed.node);
  } else {
    add(std::move(closed.node), closed.anchor);
  }
}

void YamlTree::add(Node node, YAML::anchor_t anchor) {
  if (!may_nest(0, node.position)) return;
  remember(node, anchor);
  Open& parent = open_.back();
  if (auto* array = std::get_if<Array>(&parent.node.value)) {
    array->push_back(std::move(node));
  } else {
    std::get<Table>(parent.node.value).back().node = std::move(node);
    parent.has_key = false;
  }
}

void YamlTree::remember(const Node& node, YAML::anchor_t anchor) {
  if (anchor == 0) return;
  const std::size_t weight = weight_of(node);
  if (!may_repeat(weight, node.position)) return;
  anchored_[anchor] = {node, height_of(node), weight};
}

bool YamlTree::may_repeat(std::size_t weight, const Position& position) {
  repeated_ += weight;
  if (repeated_ <= most_repeated) return true;
  refuse(position, "anchors and aliases repeat more than " + std::to_string(most_repeated) + " values and characters.");
  return false;
}

bool YamlTree::may_nest(std::size_t height, const Position& position) {
  if (open_.size() + height <= deepest_nesting) return true;
  refuse(position, std::string(nested_too_deep));
  return false;
}

void YamlTree::check_tag(const std::string& tag, const Position& position) {
  if (tag.empty() || tag == plain || tag == quoted) return;
  diagnostics_.error(
      position, "tags such as '" + shown_tag(tag) + "' are not supported. Leave it out; quotes make a value a text.");
}

// yaml-cpp takes the end of the file for the closing quote.
bool YamlTree::has_closing_quote(const Position& position) {
  return is_closed(places_.from(position.line, position.column));
}

}  // namespace cloudai::config
