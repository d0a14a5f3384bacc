// `cloudai modules list` and `cloudai modules show NAME`. Both read manifests only; no module is loaded.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "cloudai/abi/module.h"
#include "core/app/commands.hpp"
#include "core/app/open_catalogue.hpp"
#include "core/app/output.hpp"
#include "core/support/log.hpp"
#include "core/support/nearest.hpp"

namespace cloudai::app {
namespace {

using module::Catalogue;
using module::kind_of;
using module::ModuleFile;
using module::Provided;
// Without quotes; a list of choices is long enough.
std::string plain(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string joined(const Json& values, std::string_view separator) {
  Row texts;
  for (const auto& value : values) texts.push_back(plain(value));
  return fmt::format("{}", fmt::join(texts, separator));
}

// "integer, 1 to 8", "list of string".
std::string type_of(const Json& schema) {
  if (!schema.is_object()) return "any";
  for (const char* key : {"oneOf", "anyOf"}) {
    if (const auto branches = schema.find(key); branches != schema.end() && branches->is_array()) {
      Row texts;
      for (const auto& branch : *branches) texts.push_back(type_of(branch));
      return fmt::format("{}", fmt::join(texts, " or "));
    }
  }
  const auto type = schema.find("type");
  if (type == schema.end()) return schema.contains("enum") ? "choice" : "any";
  std::string text = type->is_array() ? joined(*type, " or ") : plain(*type);
  if (text == "array") return schema.contains("items") ? "list of " + type_of(schema["items"]) : "list";
  const std::string least = one_line(schema, "minimum");
  const std::string most = one_line(schema, "maximum");
  if (!least.empty() && !most.empty()) return fmt::format("{}, {} to {}", text, least, most);
  if (!least.empty()) return fmt::format("{}, at least {}", text, least);
  if (!most.empty()) return fmt::format("{}, at most {}", text, most);
  return text;
}

// The choices stand behind the description: a column of them would be wider than any terminal.
std::string description_of(const Json& option) {
  std::string text = one_line(option, "description");
  if (const auto choices = option.find("enum"); choices != option.end() && choices->is_array()) {
    text += (text.empty() ? "One of: " : " One of: ") + joined(*choices, ", ") + ".";
  }
  return text;
}

// A row for each option; the options of a table are listed as table.option.
void add_options(const Json& schema, const std::string& prefix, std::vector<Row>& rows) {
  const auto properties = schema.find("properties");
  if (properties == schema.end() || !properties->is_object()) return;
  const Json required = schema.value("required", Json::array());
  for (const auto& [name, option] : properties->items()) {
    const bool is_required = std::find(required.begin(), required.end(), Json(name)) != required.end();
    const std::string default_value = option.is_object() && option.contains("default") ? option["default"].dump() : "-";
    rows.push_back({prefix + name, type_of(option), default_value, is_required ? "yes" : "no",
                    option.is_object() ? description_of(option) : ""});
    if (option.is_object()) add_options(option, prefix + name + ".", rows);
  }
}

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

Json as_json(const ModuleFile& file, const Provided& provided) {
  return {{"kind", kind_of(provided.interface_id)},
          {"name", provided.name},
          {"interface", provided.interface_id},
          {"id", file.id},
          {"version", file.version},
          {"path", file.path.string()}};
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

  std::vector<Row> options{{"OPTION", "TYPE", "DEFAULT", "REQUIRED", "DESCRIPTION"}};
  add_options(provided.config_schema, "", options);
  print(options.size() == 1 ? "\nNo options.\n" : "\n" + table(options));
  std::vector<Row> case_options{{"CASE OPTION", "TYPE", "DEFAULT", "REQUIRED", "DESCRIPTION"}};
  add_options(provided.manifest_entry.value("case_schema", Json::object()), "", case_options);
  if (case_options.size() > 1) print("\n" + table(case_options));
  print(metrics_table(provided.manifest_entry));
}

int list(const Catalogue& catalogue, const ModulesOptions& options) {
  Json modules = Json::array();
  std::vector<Row> rows{{"KIND", "NAME", "VERSION", "PATH"}};
  for (const auto& file : catalogue.files()) {
    for (const auto& provided : file.provides) {
      modules.push_back(as_json(file, provided));
      rows.push_back({std::string(kind_of(provided.interface_id)), provided.name, file.version, file.path.string()});
    }
  }
  Json ignored = Json::array();
  for (const auto& file : catalogue.ignored()) {
    ignored.push_back({{"path", file.path.string()}, {"reason", file.reason}, {"broken", file.is_broken}});
  }
  const int status = catalogue.conflicts().empty() ? success : trouble;
  if (options.json) {
    Json document{{"modules", modules}, {"conflicts", catalogue.conflicts()}};
    if (options.all) document["ignored"] = ignored;
    print_json(document);
    return status;
  }
  std::sort(rows.begin() + 1, rows.end());
  print(rows.size() == 1 ? "No modules found.\n" : table(rows));
  if (!options.all || catalogue.ignored().empty()) return status;
  print("\nNot used:\n");
  for (const auto& file : catalogue.ignored()) print("  " + file.reason + "\n");
  return status;
}

// The name may be that of a workload, a scheduler and a reporter at once: all of them are meant.
int show(const Catalogue& catalogue, const ModulesOptions& options) {
  std::set<std::string> names;
  Json shown = Json::array();
  for (const auto& file : catalogue.files()) {
    for (const auto& provided : file.provides) {
      names.insert(provided.name);
      if (provided.name != options.name) continue;
      if (!options.json) {
        if (!shown.empty()) print("\n");
        show_text(file, provided);
      }
      shown.push_back(as_json(file, provided));
      shown.back().update({{"abi", abi_needed(file)}, {"build_id", file.build_id}, {"manifest", file.manifest}});
    }
  }
  if (shown.empty()) {
    // The catalogue knows whether a broken file was meant; the nearest name may be of any kind.
    const auto missing = catalogue.find(module::workload_interface, options.name);
    const bool is_broken = !missing && missing.error().kind == ErrorKind::trouble;
    const std::string suggestion = did_you_mean(options.name, {names.begin(), names.end()});
    log::error("{}", is_broken ? missing.error().message
                               : fmt::format("no module provides '{}'{}", options.name,
                                             suggestion.empty() ? ". 'cloudai modules list' shows what there is."
                                                                : suggestion));
    return is_broken ? trouble : usage;
  }
  if (options.json) print_json(shown);
  return success;
}

}  // namespace

int modules(const GlobalOptions& global, const ModulesOptions& options) {
  const Catalogue catalogue = open_catalogue(global);
  return options.action == "show" ? show(catalogue, options) : list(catalogue, options);
}

}  // namespace cloudai::app
