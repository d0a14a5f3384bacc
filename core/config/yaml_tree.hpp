// From the parser's events to a tree of nodes.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/source_text.hpp"

namespace cloudai::config {

// Builds the tree of one YAML document. What configuration does not take (tags, merge keys, keys that are no strings,
// keys without a value, keys twice) is an error in `diagnostics`; after one that leaves no sense in the rest, events
// are ignored. Events, not yaml-cpp's own nodes, since those lose the keys that are there twice and have no bound for
// aliases.
class YamlTree : public YAML::EventHandler {
 public:
  YamlTree(std::string_view text, std::shared_ptr<const std::string> file, Diagnostics& diagnostics)
      : file_(std::move(file)), places_(text), diagnostics_(diagnostics) {}

  // The document; an empty table if the file holds none.
  Node take();

  // Whether the rest of the text has no sense any more.
  bool is_stopped() const { return is_stopped_; }

  Position at(const YAML::Mark& mark);

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { close(); }

 private:
  // A list or table whose end is not there yet.
  struct Open {
    Node node;
    YAML::anchor_t anchor = 0;
    std::unordered_map<std::string, Position> keys;  // of a table: those it has
    bool has_key = false;                            // of a table: the next value is that of its last entry
  };
  struct Anchored {
    Node node;
    std::size_t height = 0;  // levels of tables and lists
    std::size_t weight = 0;  // values, and characters of strings
  };

  bool wants_key() const;
  void read_key(const Position& position, bool is_plain, const std::string& key);
  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Node node);
  void close();
  void add(Node node, YAML::anchor_t anchor);
  void remember(const Node& node, YAML::anchor_t anchor);
  bool may_repeat(std::size_t weight, const Position& position);
  bool may_nest(std::size_t height, const Position& position);
  void check_tag(const std::string& tag, const Position& position);
  bool has_closing_quote(const Position& position);
  void refuse(Position position, std::string message);

  std::shared_ptr<const std::string> file_;
  TextPlaces places_;
  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Anchored> anchored_;
  Node root_{Table{}, {}};
  std::size_t repeated_ = 0;
  bool has_document_ = false;
  bool is_stopped_ = false;
};

}  // namespace cloudai::config
