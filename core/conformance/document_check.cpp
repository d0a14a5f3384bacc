#include "core/conformance/document_check.hpp"

#include <algorithm>
#include <map>

#include "core/config/diagnostics.hpp"
#include "core/config/schema_check.hpp"
#include "core/conformance/document_schemas.hpp"

namespace cloudai::conformance {
namespace {

constexpr std::string_view extension = ".schema.json";

// Makes the references of the schema `name` point into the document that holds all of them: a reference to another file
// would have to be fetched.
void redirect_references(Json& node, const std::string& name) {
  if (node.is_object() && node.contains("$ref") && node["$ref"].is_string()) {
    const auto reference = node["$ref"].get<std::string>();
    const std::size_t hash = std::min(reference.find('#'), reference.size());
    const std::string file = reference.substr(0, hash);
    const std::string target = file.empty() ? name : file.substr(0, file.size() - extension.size());
    node["$ref"] = "#/definitions/" + target + (hash < reference.size() ? reference.substr(hash + 1) : "");
    return;
  }
  if (!node.is_structured()) return;
  for (Json& child : node) redirect_references(child, name);
}

Json all_schemas() {
  Json all = Json::object();
  for (const DocumentSchema& schema : document_schemas()) {
    all[schema.name] = Json::parse(schema.text);
    redirect_references(all[schema.name], schema.name);
  }
  return all;
}

const Result<config::Schema>& compiled(const std::string& name) {
  static const Json all = all_schemas();
  static std::map<std::string, Result<config::Schema>> schemas;
  const auto known = schemas.find(name);
  if (known != schemas.end()) return known->second;
  Json root = {{"$ref", "#/definitions/" + name}, {"definitions", all}};
  return schemas.emplace(name, config::Schema::compile(std::move(root))).first->second;
}

}  // namespace

std::vector<std::string> faults_of(const Json& document, std::string_view name, const std::string& owner) {
  const auto& schema = compiled(std::string(name));
  if (!schema) return {schema.error().message};
  config::Diagnostics diagnostics;
  schema->check(config::to_node(document, {}), {"key", owner}, diagnostics);
  std::vector<std::string> faults;
  for (const auto& diagnostic : diagnostics.all()) faults.push_back(diagnostic.message);
  return faults;
}

}  // namespace cloudai::conformance
