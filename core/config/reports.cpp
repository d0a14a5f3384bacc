#include "core/config/reports.hpp"

#include "core/config/coercion.hpp"
#include "core/config/defaults.hpp"
#include "core/config/schema_check.hpp"
#include "core/config/workloads.hpp"

namespace cloudai::config {
namespace {

// The reporter's options and the switch that is common to all, so that a misspelt key is compared with both.
Json with_switch(Json schema) {
  schema["properties"]["enable"] = {{"type", "boolean"}};
  return schema;
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
    const Result<Schema> schema = Schema::compile(with_switch(found->provided->config_schema));
    if (!schema) {
      diagnostics.error(entry.key_position, "reporter '" + entry.key + "': " + schema.error().message);
      continue;
    }
    const Node table_of_reporter = coerce(entry.node, schema->json());
    if (!schema->check(table_of_reporter, {"option", "reporter " + entry.key, "reports." + entry.key}, diagnostics)) {
      continue;
    }
    Json options = to_json(table_of_reporter);
    const bool is_enabled = options.value("enable", true);
    options.erase("enable");
    reports.push_back({entry.key, is_enabled, with_defaults(options, schema->json())});
  }
  return reports;
}

}  // namespace cloudai::config
