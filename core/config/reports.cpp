#include "core/config/reports.hpp"

#include <utility>

#include "core/config/coercion.hpp"
#include "core/config/defaults.hpp"
#include "core/config/schema_check.hpp"
#include "core/config/workloads.hpp"

namespace cloudai::config {
namespace {

// The reporter's options, without the switch that is common to all.
Node options_of(const Node& table) {
  Node options = table;
  std::erase_if(std::get<Table>(options.value), [](const Entry& entry) { return entry.key == "enable"; });
  return options;
}

}  // namespace

std::vector<Report> read_reports(const Node& table, const module::Catalogue& modules, Diagnostics& diagnostics) {
  std::vector<Report> reports;
  for (const Entry& entry : std::get<Table>(table.value)) {
    const auto found = modules.find(module::reporter_interface, entry.key);
    if (!found) {
      diagnostics.error(entry.key_position, sentence_of(found.error()), module_missing);
      continue;
    }
    const Result<Schema> schema = Schema::compile(found->provided->config_schema);
    if (!schema) {
      diagnostics.error(entry.key_position, "reporter '" + entry.key + "': " + schema.error().message);
      continue;
    }
    const Node options = coerce(options_of(entry.node), schema->json());
    if (!schema->check(options, {"option", "reporter " + entry.key, "reports." + entry.key}, diagnostics)) continue;
    const Node* enable = entry.node.find("enable");
    const bool is_enabled = enable == nullptr || std::get<bool>(enable->value);
    reports.push_back({entry.key, is_enabled, with_defaults(to_json(options), schema->json())});
  }
  return reports;
}

}  // namespace cloudai::config
