// Of what a page's numbers were made: program, modules, configuration files, nodes.
#pragma once

#include <map>
#include <set>
#include <string>

#include "modules/reporters/results/summary.hpp"

namespace cloudai::html {

// Which nodes have which values of a fact. Nodes of one cluster should be alike: what differs is marked.
class NodeFacts {
 public:
  void add(const results::RunSummary& run);

  bool empty() const { return facts_.empty(); }

  struct Value {
    std::string value;
    std::set<std::string> nodes;
    bool differs = false;  // from what most nodes have
  };
  struct Fact {
    std::string name;
    std::vector<Value> values;  // the commonest first
  };
  std::vector<Fact> facts() const;

 private:
  std::map<std::string, std::map<std::string, std::set<std::string>>> facts_;
};

// The section, folded.
std::string provenance_section(const results::Header& header, const NodeFacts& nodes);

}  // namespace cloudai::html
