#include "tests/sdk/documents_examples.hpp"
#include "tests/paths.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace cloudai::testing {

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// An example writes "a | b" for a choice and "…" for whatever stands there; this makes it a document.
void complete(Json& node, const std::string& key, const std::map<std::string, Json>& examples) {
  if (node.is_string()) {
    const auto text = node.get<std::string>();
    const std::size_t bar = text.find(" | ");
    if (bar != std::string::npos) node = text.substr(0, bar);
    if (key == "sha256") node = std::string(64, '0');
    if (key == "code" && text == "…") node = "exit_status";
    return;
  }
  if (!node.is_structured()) return;
  if (node.is_object()) node.erase("…");
  for (auto& [name, child] : node.items()) complete(child, node.is_object() ? name : key, examples);
  if (!node.is_object()) return;
  // What an example shows only the kind of stands in full in its own.
  if (node.size() == 1 && node.contains("schema")) node = examples.at(node["schema"].get<std::string>());
  const auto full = [&](const char* member, const Json& example) {
    if (node.contains(member) && node[member].empty()) node[member] = example;
  };
  full("plan", examples.count("cloudai.plan/1") != 0 ? examples.at("cloudai.plan/1") : Json());
  full("result", {{"kind", "main"}, {"name", "nccl_test_all_reduce"}, {"state", "ended"}, {"exit_status", 0}});
  full("reason", {{"code", "exit_status"}, {"text", "exit status 1"}});
  if (examples.count("cloudai.test/1") != 0) {
    full("test", examples.at("cloudai.test/1").at("test"));
    full("system", examples.at("cloudai.test/1").at("system"));
  }
}

}  // namespace

std::map<std::string, Json> documents_examples() {
  const std::string file = tree::source_directory() + "/docs/documents.md";
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file);
  std::stringstream whole;
  whole << stream.rdbuf();
  const std::string text = replaced(whole.str(), "\"…Z\"", "\"2026-03-01T12:00:00.000Z\"");

  std::map<std::string, Json> examples;
  const std::string fence = "```json\n";
  for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
    at += fence.size();
    Json example = Json::parse(text.substr(at, text.find("```", at) - at));
    if (!example.contains("schema")) continue;
    const auto name = example["schema"].get<std::string>();
    // "As cloudai.run/1, and …"
    if (name == "cloudai.stage/1") {
      Json extended = examples.at("cloudai.run/1");
      extended.update(example);
      example = std::move(extended);
    }
    complete(example, "", examples);
    examples.emplace(name, std::move(example));
  }
  return examples;
}

}  // namespace cloudai::testing
