#include "modules/workloads/nccl_test/facts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

#include "cloudai/documents/value.hpp"
#include "modules/workloads/nccl_test/text.hpp"

namespace cloudai::nccl_test {

namespace {

using Facts = std::map<std::string, std::string>;

std::set<std::string> gpu_types(const Output& output) {
  std::set<std::string> names;
  for (const Device& device : output.devices) names.insert(device.name);
  return names;
}

// "GPU memory usage" → "gpu_memory_usage"
std::string fact_name(const std::string& key) {
  std::string name;
  for (const char c : key) {
    const auto byte = static_cast<unsigned char>(c);
    name += std::isalnum(byte) != 0 ? static_cast<char>(std::tolower(byte)) : '_';
  }
  return name;
}

void add_machine(Facts& facts, const Output& output) {
  if (output.devices.empty()) return;
  facts["gpu_type"] = gpu_type(output);
  if (const auto types = gpu_types(output).size(); types > 1) {
    facts["mixed_gpu_types"] = std::to_string(types) + " different types in one run";
  }
  facts["ranks"] = (output.device_list_cut ? "at least " : "") + std::to_string(output.devices.size());
  facts["nodes"] = std::to_string(host_count(output));
  facts["devices_per_node"] = std::to_string(devices_per_node(output));
}

void add_oddities(Facts& facts, const Output& output) {
  if (output.malformed_rows > 0) {
    facts["malformed_rows"] =
        std::to_string(output.malformed_rows) + ", the first in line " + std::to_string(output.first_malformed_line);
  }
  if (output.attempts > 1) {
    facts["attempts"] = std::to_string(output.attempts) + ", " +
                        (output.attempts == 2 ? "the first" : "the last but one") + " ended by " +
                        output.broken_off_by + "; only the last is reported";
  }
  if (output.first_warning) {
    facts["warnings"] = std::to_string(output.warnings) + ", the first in line " +
                        std::to_string(output.first_warning->line) + ": " + output.first_warning->text;
  }
  if (output.row_count > output.rows.size()) {
    facts["rows"] =
        std::to_string(output.row_count) + "; only the first " + std::to_string(output.rows.size()) + " are reported";
  }
  const auto checked = [](const Row& row) { return row.sides[0].wrong || row.sides[1].wrong; };
  if (!output.rows.empty() && std::none_of(output.rows.begin(), output.rows.end(), checked)) {
    facts["wrong_values"] = "not counted";
  }
}

}  // namespace

std::string gpu_type(const Output& output) {
  std::string result;
  for (const std::string& name : gpu_types(output)) result += (result.empty() ? "" : ", ") + name;
  return result;
}

std::int64_t devices_per_node(const Output& output) {
  std::int64_t most = 0;
  for (const Device& device : output.devices) most = std::max(most, device.device + 1);
  return most;
}

Facts facts_of(const Output& output, const std::string& collective) {
  Facts facts;
  // Not under the name of a fact that this module states itself.
  constexpr std::array<std::string_view, 9> own{"min_busbw", "sizes",    "note", "malformed_rows", "mixed_gpu_types",
                                                "attempts",  "warnings", "rows", "wrong_values"};
  for (const auto& [key, value] : output.further_facts) {
    std::string name = fact_name(key);
    if (std::find(own.begin(), own.end(), name) != own.end()) name += "_in_log";
    facts[name] = value;
  }
  for (const auto& [name, value] : Facts{{"collective", collective},
                                         {"format", output.format},
                                         {"nccl_version", output.nccl_version},
                                         {"nccl_tests_version", output.nccl_tests_version},
                                         {"driver_version", output.driver_version}}) {
    if (!value.empty()) facts[name] = value;
  }
  if (output.average && output.average->value) facts["avg_busbw"] = Json(*output.average->value).dump() + " GB/s";
  add_machine(facts, output);
  add_oddities(facts, output);
  return facts;
}

}  // namespace cloudai::nccl_test
