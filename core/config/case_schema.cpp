#include "core/config/case_schema.hpp"

#include <utility>

#include "core/config/defaults.hpp"
#include "core/config/schemas.hpp"

namespace cloudai::config {
namespace {

const Json& common_schema() {
  return scenario_schema().at("properties").at("Tests").at("items");
}

Json own_schema(const module::Provided& scheduler) {
  const auto found = scheduler.manifest_entry.find("case_schema");
  return found != scheduler.manifest_entry.end() ? *found : Json::object();
}

Json own_keys(const module::Provided& scheduler) {
  return own_schema(scheduler).value("properties", Json::object());
}

template <class Visit>
void for_each_scheduler(const module::Catalogue& modules, Visit visit) {
  for (const std::string& name : modules.names(module::scheduler_interface)) {
    if (const auto found = modules.find(module::scheduler_interface, name)) visit(*found->provided);
  }
}

std::string owner_of(const std::string& key, const module::Catalogue& modules) {
  std::string owner;
  for_each_scheduler(modules, [&](const module::Provided& scheduler) {
    if (owner.empty() && own_keys(scheduler).contains(key)) owner = scheduler.name;
  });
  return owner;
}

}  // namespace

Schema case_schema(const module::Provided* scheduler, const module::Catalogue& modules) {
  Json schema = common_schema();
  const auto add = [&](const module::Provided& provided) {
    const Json own = own_keys(provided);
    for (const auto& [key, member] : own.items()) {
      if (!schema["properties"].contains(key)) schema["properties"][key] = member;
    }
  };
  if (scheduler != nullptr) add(*scheduler);
  for_each_scheduler(modules, add);
  // Of a scheduler whose keys are no schema, nothing can be said.
  auto compiled = Schema::compile(std::move(schema));
  return compiled ? *std::move(compiled) : *Schema::compile(common_schema());
}

Json scheduler_options(const Node& test_case, const module::Provided* scheduler, const module::Catalogue& modules,
                       Diagnostics& diagnostics) {
  if (scheduler == nullptr) return Json::object();
  const Json& common = common_schema().at("properties");
  const Json known = own_keys(*scheduler);
  Table own;
  for (const Entry& entry : std::get<Table>(test_case.value)) {
    if (common.contains(entry.key)) continue;
    if (known.contains(entry.key)) {
      own.push_back(entry);
    } else {
      diagnostics.error(entry.key_position, "'" + entry.key + "' is an option of scheduler '" +
                                                owner_of(entry.key, modules) + "'; scheduler '" + scheduler->name +
                                                "', which this system has, knows no such option. Remove it.");
    }
  }
  return with_defaults(to_json(Node{std::move(own), {}}), own_schema(*scheduler));
}

}  // namespace cloudai::config
