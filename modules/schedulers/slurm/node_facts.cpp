#include "node_facts.hpp"

#include <toml++/toml.h>

#include <fstream>
#include <sstream>

#include "host_list.hpp"
#include "job_files.hpp"
#include "text_fields.hpp"

namespace slurm {
namespace {

namespace fs = std::filesystem;
using Facts = std::map<std::string, std::string>;

void flatten(const toml::table& table, const std::string& prefix, Facts& facts) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const auto* inner = node.as_table()) {
      flatten(*inner, name + ".", facts);
    } else if (const auto text = node.value<std::string>(); text && *text != "null" && !text->empty()) {
      facts[name] = *text;
    }
  }
}

// The file of a node, by its whole name or by the part before the first point.
fs::path file_of(const fs::path& directory, const std::string& node) {
  std::error_code ignored;
  const fs::path whole = directory / ("node-" + node + ".toml");
  if (fs::exists(whole, ignored)) return whole;
  return directory / ("node-" + node.substr(0, node.find('.')) + ".toml");
}

void read_facts(const fs::path& directory, cloudai::JobNode& node, std::vector<std::string>& without_file,
                std::vector<std::string>& warnings) {
  const fs::path path = file_of(directory, node.name);
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    without_file.push_back(node.name);
    return;
  }
  std::ostringstream text;
  text << file.rdbuf();
  try {
    flatten(toml::parse(text.str()), "", node.facts);
  } catch (const toml::parse_error& error) {
    warnings.push_back("The file '" + path.string() + "' about node " + node.name +
                       " cannot be read: " + std::string(error.description()) + ".");
  }
}

}  // namespace

NodeFacts read_node_facts(const fs::path& job_directory, const std::vector<std::string>& names) {
  NodeFacts facts;
  std::vector<std::string> without_file;
  for (const std::string& name : names) {
    cloudai::JobNode& node = facts.nodes.emplace_back();
    node.name = name;
    read_facts(job_directory / metadata_directory, node, without_file, facts.warnings);
  }
  if (!without_file.empty()) {
    facts.warnings.push_back("Nothing is known of the software of " + compress_host_list(without_file) +
                             ": there is no file about it in '" + (job_directory / metadata_directory).string() + "'.");
  }
  return facts;
}

std::vector<std::string> differing_versions(const std::vector<cloudai::JobNode>& nodes) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> by_key;  // key → value → nodes
  for (const cloudai::JobNode& node : nodes) {
    for (const auto& [key, value] : node.facts) {
      if (contains(key, "version")) by_key[key][value].push_back(node.name);
    }
  }
  std::vector<std::string> sentences;
  for (const auto& [key, values] : by_key) {
    if (values.size() < 2) continue;
    std::vector<std::string> parts;
    for (const auto& [value, names] : values) parts.push_back(value + " on " + compress_host_list(names));
    sentences.push_back("The nodes differ in " + key + ": " + join(parts, ", ") + ".");
  }
  return sentences;
}

}  // namespace slurm
