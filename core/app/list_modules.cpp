// `cloudai modules list`. Reads manifests only; no module is loaded.
#include <fmt/format.h>

#include <algorithm>

#include "core/app/commands.hpp"
#include "core/app/module_text.hpp"
#include "core/app/open_catalogue.hpp"

namespace cloudai::app {
namespace {

using module::Catalogue;
using module::Ignored;
using module::kind_of;

const char* name_of(Ignored why) {
  switch (why) {
    case Ignored::broken:
      return "broken";
    case Ignored::no_module:
      return "no_module";
    case Ignored::hidden:
      return "hidden";
    case Ignored::same_file:
      return "same_file";
  }
  return "";
}

Json ignored_document(const Catalogue& catalogue) {
  Json ignored = Json::array();
  for (const auto& file : catalogue.ignored()) {
    ignored.push_back({{"path", file.path.string()}, {"why", name_of(file.why)}, {"reason", file.reason}});
    if (file.why == Ignored::hidden) ignored.back()["hidden_by"] = file.hidden_by.string();
  }
  return ignored;
}

int list_json(const Catalogue& catalogue, bool with_ignored) {
  Json modules = Json::array();
  for (const auto& file : catalogue.files()) {
    for (const auto& provided : file.provides) modules.push_back(module_document(file, provided));
  }
  Json document{{"modules", std::move(modules)}, {"conflicts", catalogue.conflicts()}};
  if (with_ignored) document["ignored"] = ignored_document(catalogue);
  print_json(document);
  return catalogue.conflicts().empty() ? success : trouble;
}

void print_ignored(const Catalogue& catalogue) {
  std::vector<Row> hidden{{"HIDDEN", "PATH", "HIDDEN BY"}};
  std::string unused;
  for (const auto& file : catalogue.ignored()) {
    if (file.why == Ignored::hidden) {
      hidden.push_back({file.hidden, file.path.string(), file.hidden_by.string()});
    } else {
      unused += "  " + file.reason + "\n";
    }
  }
  if (hidden.size() > 1) print("\n" + table(hidden));
  if (!unused.empty()) print("\nNot used:\n" + unused);
}

}  // namespace

int list_modules(const GlobalOptions& global, const ModulesOptions& options) {
  const auto catalogue = open_catalogue(global);
  if (!catalogue) return trouble;
  if (options.json) return list_json(*catalogue, options.all);
  std::vector<Row> rows{{"KIND", "NAME", "VERSION", "PATH"}};
  for (const auto& file : catalogue->files()) {
    for (const auto& provided : file.provides) {
      rows.push_back({std::string(kind_of(provided.interface_id)), provided.name, file.version, file.path.string()});
    }
  }
  std::sort(rows.begin() + 1, rows.end());
  print(rows.size() == 1 ? "No modules found.\n" : table(rows));
  if (options.all) print_ignored(*catalogue);
  return catalogue->conflicts().empty() ? success : trouble;
}

}  // namespace cloudai::app
