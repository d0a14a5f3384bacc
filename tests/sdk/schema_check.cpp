#include "tests/sdk/schema_check.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace cloudai::testing {

namespace {

constexpr const char* directory = CLOUDAI_SOURCE_DIR "/sdk/schemas";
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
nlohmann::json bundle(const std::string& name) {
  Json all = {{"$ref", "#/definitions/" + name}, {"definitions", Json::object()}};
  for (const std::string& each : schema_names()) {
    Json document = load(each);
    redirect_references(document, each);
    all["definitions"][each] = std::move(document);
  }
  if (!all["definitions"].contains(name)) throw std::runtime_error("there is no schema " + name);
  return nlohmann::json::parse(all.dump());
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
  using Adapter = valijson::adapters::NlohmannJsonAdapter;
  const nlohmann::json root = bundle(name);
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(root), schema);

  const nlohmann::json target = nlohmann::json::parse(document.dump());
  valijson::ValidationResults results;
  valijson::Validator().validate(schema, Adapter(target), &results);
  std::vector<std::string> violations;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) violations.push_back(joined(error.context) + ": " + error.description);
  return violations;
}

}  // namespace cloudai::testing
