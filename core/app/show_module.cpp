// `cloudai modules show NAME`: options, metrics and versions of what a module provides. Reads manifests only.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "cloudai/abi/module.h"
#include "core/app/commands.hpp"
#include "core/app/module_text.hpp"
#include "core/app/open_catalogue.hpp"
#include "core/app/option_table.hpp"
#include "core/support/log.hpp"
#include "core/support/nearest.hpp"

namespace cloudai::app {
namespace {

using module::kind_of;
using module::ModuleFile;
using module::Provided;

std::string metrics_table(const Json& entry) {
  const auto metrics = entry.find("metrics");
  if (metrics == entry.end() || metrics->empty()) return {};
  std::vector<Row> rows{{"METRIC", "UNIT", "BETTER", "LABELS"}};
  for (const auto& metric : *metrics) {
    rows.push_back({one_line(metric, "name"), one_line(metric, "unit"), one_line(metric, "better"),
                    joined(metric.value("labels", Json::array()), ", ")});
  }
  return "\n" + table(rows);
}

std::string abi_needed(const ModuleFile& file) {
  const Json needed = file.manifest.value("requires", Json::object());
  return fmt::format("{}.{}", CLOUDAI_ABI_MAJOR, needed.value("abi_minor", 0));
}

void show_text(const ModuleFile& file, const Provided& provided) {
  const auto line = [](std::string_view key, const std::string& value) {
    if (!value.empty()) print(fmt::format("  {:<13}{}\n", key, value));
  };
  print(fmt::format("{} {}\n", kind_of(provided.interface_id), provided.name));
  const std::string own = one_line(provided.manifest_entry, "description");
  line("description", own.empty() ? one_line(file.manifest, "description") : own);
  line("module", fmt::format("{} {}", file.id, file.version));
  line("vendor", one_line(file.manifest, "vendor"));
  line("license", one_line(file.manifest, "license"));
  line("path", file.path.string());
  line("interface", provided.interface_id);
  line("ABI", fmt::format("{} (this cloudai offers {}.{})", abi_needed(file), CLOUDAI_ABI_MAJOR, CLOUDAI_ABI_MINOR));
  line("build id", file.build_id);
  line("capabilities", fmt::format("{}", fmt::join(provided.capabilities, ", ")));
  line("needs", fmt::format("{}", fmt::join(provided.needs, ", ")));

  const bool of_workload = provided.interface_id == module::workload_interface;
  const std::string options = option_table(provided.config_schema, "OPTION", of_workload);
  print(options.empty() ? "\nNo options.\n" : "\n" + options);
  const std::string case_options =
      option_table(provided.manifest_entry.value("case_schema", Json::object()), "CASE OPTION", false);
  if (!case_options.empty()) print("\n" + case_options);
  print(metrics_table(provided.manifest_entry));
}

// The catalogue knows whether a broken file was meant; the nearest name may be of any kind.
int refuse_unknown(const module::Catalogue& catalogue, const std::string& name) {
  const auto missing = catalogue.find(module::workload_interface, name);
  if (!missing && missing.error().kind == ErrorKind::trouble) {
    log::error("{}", missing.error().message);
    return trouble;
  }
  std::set<std::string> names;
  for (const auto& file : catalogue.files()) {
    for (const auto& provided : file.provides) names.insert(provided.name);
  }
  const std::string suggestion = did_you_mean(name, {names.begin(), names.end()});
  log::error("no module provides '{}'{}", name,
             suggestion.empty() ? ". 'cloudai modules list' shows what there is." : suggestion);
  return usage;
}

}  // namespace

// The name may be that of a workload, a scheduler and a reporter at once: all of them are meant.
int show_module(const GlobalOptions& global, const ModulesOptions& options) {
  const auto catalogue = open_catalogue(global);
  if (!catalogue) return trouble;
  Json shown = Json::array();
  for (const auto& file : catalogue->files()) {
    for (const auto& provided : file.provides) {
      if (provided.name != options.name) continue;
      if (!options.json) {
        if (!shown.empty()) print("\n");
        show_text(file, provided);
      }
      shown.push_back(module_document(file, provided));
      shown.back().update({{"abi", abi_needed(file)}, {"build_id", file.build_id}, {"manifest", file.manifest}});
    }
  }
  if (shown.empty()) return refuse_unknown(*catalogue, options.name);
  if (options.json) print_json(shown);
  return success;
}

}  // namespace cloudai::app
