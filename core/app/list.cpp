// `cloudai list reports|agents|workloads|schedulers`: the names a configuration file may use. Reads manifests only.
#include <fmt/format.h>

#include "core/app/commands.hpp"
#include "core/app/open_catalogue.hpp"
#include "core/app/output.hpp"

namespace cloudai::app {
namespace {

struct Kind {
  std::string_view name;
  std::string_view interface_id;
};

constexpr Kind kinds[] = {{"reports", module::reporter_interface},
                          {"workloads", module::workload_interface},
                          {"schedulers", module::scheduler_interface}};

std::string description_of(const module::ProviderRef& provider) {
  const std::string own = one_line(provider.provided->manifest_entry, "description");
  return own.empty() ? one_line(provider.file->manifest, "description") : own;
}

int list_provided(const module::Catalogue& catalogue, const Kind& kind, bool as_json) {
  Json entries = Json::array();
  std::vector<Row> rows{{"NAME", "VERSION", "DESCRIPTION"}};
  for (const std::string& name : catalogue.names(kind.interface_id)) {
    const auto provider = catalogue.find(kind.interface_id, name);
    if (!provider) continue;  // provided twice: the catalogue has warned of it
    entries.push_back({{"name", name},
                       {"description", description_of(*provider)},
                       {"module", provider->file->id},
                       {"version", provider->file->version},
                       {"path", provider->file->path.string()}});
    rows.push_back({name, provider->file->version, description_of(*provider)});
  }
  if (as_json) {
    print_json({{kind.name, std::move(entries)}});
  } else {
    print(rows.size() == 1 ? fmt::format("There are no {}: no module on the search path provides one.\n", kind.name)
                           : table(rows));
  }
  return catalogue.conflicts().empty() ? success : trouble;
}

}  // namespace

int list(const GlobalOptions& global, const ListOptions& options) {
  if (options.kind == "agents") {
    if (options.json) {
      print_json({{"agents", Json::array()}});
    } else {
      print("There are no agents: this version does not search a range of values.\n");
    }
    return success;
  }
  const auto opened = open_catalogue(global);
  if (!opened) return trouble;
  const module::Catalogue& catalogue = *opened;
  for (const Kind& kind : kinds) {
    if (kind.name == options.kind) return list_provided(catalogue, kind, options.json);
  }
  return usage;
}

}  // namespace cloudai::app
