// A configuration file as a tree that remembers where each node stands.
//
// The readers of TOML and YAML build the same tree, so that every later step, and every message, is the same for both.
// Tables keep the order of the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/support/json.hpp"

namespace cloudai::config {

// A place in a file; line and column count from 1. line 0: the file as a whole.
struct Position {
  std::shared_ptr<const std::string> file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// "file:line:column", or "file" when the line is 0.
std::string to_string(const Position& position);

struct Node;

struct Entry;                      // one key of a table
using Table = std::vector<Entry>;  // in the file's order, no key twice
using Array = std::vector<Node>;

// Readers never yield std::monostate. Dates and times are read as the text that stands in the file.
struct Node {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Table> value;
  Position position;
  // Of a number that its value alone does not give back as it was written: "24.10", "007".
  std::shared_ptr<const std::string> spelling = nullptr;

  const Node* find(std::string_view key) const;  // of a table; null if absent or not a table
};

struct Entry {
  std::string key;
  Position key_position;
  Node node;
};

// The node as plain JSON.
Json to_json(const Node& node);

// The inverse, for what we wrote ourselves; every node has the one position.
Node to_node(const Json& json, const Position& position);

// The position of the node a JSON pointer names ("/Tests/0/id"); of its nearest existing ancestor if it does not exist.
// For a member of a table: the position of its key.
Position position_of(const Node& root, std::string_view json_pointer);

// `over` laid on `base`: tables merge key by key, everything else replaces. Positions come along, so a message about a
// merged value names the file the value came from.
Node merge(const Node& base, const Node& over);

}  // namespace cloudai::config
