#include "tests/sdk/schema_check.hpp"
#include "tests/paths.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace cloudai::testing {

namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

const std::string directory = tree::source_directory() + "/sdk/schemas";
constexpr std::string_view extension = ".schema.json";

Json load(const std::string& name) {
  std::ifstream stream(std::filesystem::path(directory) / (name + std::string(extension)));
  if (!stream) throw std::runtime_error("there is no schema " + name);
  return Json::parse(stream);
}

// Makes the references of schema `name` point into the document that holds all of them.
void redirect_references(Json& node, const std::string& name) {
  if (node.is_object() && node.contains("$ref") && node["$ref"].is_string()) {
    const auto reference = node["$ref"].get<std::string>();
    const auto hash = std::min(reference.find('#'), reference.size());
    const std::string file = reference.substr(0, hash);
    const std::string target = file.empty() ? name : file.substr(0, file.size() - extension.size());
    node["$ref"] = "#/definitions/" + target + (hash < reference.size() ? reference.substr(hash + 1) : "");
    return;
  }
  if (node.is_structured()) {
    for (Json& child : node) redirect_references(child, name);
  }
}

// All schemas in one document, since valijson confuses equal pointers of different files.
Json load_all() {
  Json all = Json::object();
  for (const std::string& name : schema_names()) {
    all[name] = load(name);
    redirect_references(all[name], name);
  }
  return all;
}

// Parsed once for each name: a test asks for the same ones again and again.
const valijson::Schema& parsed_schema(const std::string& name) {
  static const Json all = load_all();
  static std::map<std::string, std::unique_ptr<valijson::Schema>> parsed;
  std::unique_ptr<valijson::Schema>& schema = parsed[name];
  if (schema == nullptr) {
    if (!all.contains(name)) throw std::runtime_error("there is no schema " + name);
    const Json root = {{"$ref", "#/definitions/" + name}, {"definitions", all}};
    const nlohmann::json sorted = nlohmann::json::parse(root.dump());
    schema = std::make_unique<valijson::Schema>();
    valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(sorted), *schema);
  }
  return *schema;
}

std::string joined(const std::vector<std::string>& context) {
  std::string text;
  for (const std::string& part : context) text += part;
  return text;
}

}  // namespace

std::vector<std::string> schema_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string file = entry.path().filename().string();
    names.push_back(file.substr(0, file.size() - extension.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Json schema(const std::string& name) {
  return load(name);
}

std::vector<std::string> schema_violations(const std::string& name, const Json& document) {
  const nlohmann::json target = nlohmann::json::parse(document.dump());
  valijson::ValidationResults results;
  valijson::Validator().validate(parsed_schema(name), Adapter(target), &results);
  std::vector<std::string> violations;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) violations.push_back(joined(error.context) + ": " + error.description);
  return violations;
}

}  // namespace cloudai::testing
