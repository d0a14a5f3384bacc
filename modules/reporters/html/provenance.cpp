#include "modules/reporters/html/provenance.hpp"

#include <algorithm>

#include "modules/reporters/html/format.hpp"
#include "modules/reporters/html/markup.hpp"
#include "modules/reporters/html/rerun.hpp"
#include "modules/reporters/html/templates.hpp"

namespace cloudai::html {

void NodeFacts::add(const results::RunSummary& run) {
  for (const auto& [node, facts] : run.node_facts) {
    for (const auto& [name, value] : facts) facts_[name][value].insert(node);
  }
}

std::vector<NodeFacts::Fact> NodeFacts::facts() const {
  std::vector<Fact> result;
  for (const auto& [name, values] : facts_) {
    Fact fact{name, {}};
    for (const auto& [value, nodes] : values) fact.values.push_back({value, nodes, false});
    std::stable_sort(fact.values.begin(), fact.values.end(),
                     [](const Value& a, const Value& b) { return a.nodes.size() > b.nodes.size(); });
    for (std::size_t i = 1; i < fact.values.size(); ++i) fact.values[i].differs = true;
    result.push_back(std::move(fact));
  }
  return result;
}

namespace {

std::string names_text(const std::set<std::string>& nodes) {
  constexpr std::size_t most = 8;
  std::string result = count_text(nodes.size(), "node") + ": ";
  std::size_t count = 0;
  for (const std::string& node : nodes) {
    if (count == most) return result + ", …";
    result += (count++ == 0 ? "" : ", ") + node;
  }
  return result;
}

mustache::list module_list(const results::Header& header) {
  mustache::list list;
  for (const results::ModuleUsed& used : header.modules) {
    mustache::object item;
    item["id"] = used.id;
    item["version"] = used.version;
    item["sha256"] = used.sha256;
    item["path"] = used.path;
    list.emplace_back(item);
  }
  return list;
}

mustache::list file_list(const results::Header& header) {
  mustache::list list;
  for (const results::FileRead& file : header.files) {
    mustache::object item;
    item["path"] = file.path;
    item["sha256"] = file.sha256;
    list.emplace_back(item);
  }
  return list;
}

mustache::list fact_list(const NodeFacts& nodes) {
  mustache::list list;
  for (const NodeFacts::Fact& fact : nodes.facts()) {
    for (const NodeFacts::Value& value : fact.values) {
      mustache::object item;
      item["fact"] = fact.name;
      item["value"] = value.value;
      item["nodes"] = names_text(value.nodes);
      item["differs"] = value.differs;
      list.emplace_back(item);
    }
  }
  return list;
}

std::string differences_text(const NodeFacts& nodes) {
  std::size_t count = 0;
  for (const NodeFacts::Fact& fact : nodes.facts()) count += fact.values.size() > 1 ? 1 : 0;
  if (count == 0) return {};
  return count == 1 ? "The nodes differ in one fact." : "The nodes differ in " + std::to_string(count) + " facts.";
}

}  // namespace

std::string provenance_section(const results::Header& header, const NodeFacts& nodes) {
  auto part = make_template(provenance_template);
  mustache::object values;
  values["made_with"] = "cloudai " + header.cloudai_version + ", " + count_text(header.modules.size(), "module") +
                        ", " + count_text(header.files.size(), "configuration file");
  values["differences"] = text(differences_text(nodes));
  set_list(values, "modules", module_list(header));
  set_list(values, "files", file_list(header));
  set_list(values, "node_facts", fact_list(nodes));
  std::string command;
  for (const std::string& argument : header.arguments) command += (command.empty() ? "" : " ") + shell_word(argument);
  values["command"] = text(command);
  return render(part, values);
}

}  // namespace cloudai::html
