#include "core/config/editor_schema.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/config/lenient_schema.hpp"
#include "core/config/schemas.hpp"

namespace cloudai::config {
namespace {

constexpr const char* draft = "http://json-schema.org/draft-07/schema#";

std::vector<const module::Provided*> providers(const module::Catalogue& modules, std::string_view interface_id) {
  std::vector<const module::Provided*> found;
  for (const std::string& name : modules.names(interface_id)) {
    if (const auto provider = modules.find(interface_id, name)) found.push_back(provider->provided);
  }
  return found;
}

Json names_of(const std::vector<const module::Provided*>& all) {
  Json names = Json::array();
  for (const auto* provided : all) names.push_back(provided->name);
  return names;
}

// Without a module on the path nothing can be said against a name.
void offer_names(Json& member, const std::vector<const module::Provided*>& all) {
  if (!all.empty()) member["enum"] = names_of(all);
}

// The options of all of them, each with its description; whether a value is right is not judged here.
void offer_options(Json& properties, const std::vector<const module::Provided*>& all, const char* schema_key) {
  for (const auto* provided : all) {
    const auto schema = provided->manifest_entry.find(schema_key);
    if (schema == provided->manifest_entry.end()) continue;
    const Json options = schema->value("properties", Json::object());
    for (const auto& [name, option] : options.items()) {
      Json& offered = properties[name];
      const std::string description = provided->name + ": " + text_of(option, "description");
      if (offered.is_null()) {
        offered = {{"description", description}, {"anyOf", Json::array({true})}};
      } else if (offered.contains("anyOf") && offered["anyOf"].back() == Json(true)) {
        offered["description"] = text_of(offered, "description") + "\n\n" + description;
      } else {
        continue;  // a common key
      }
      offered["anyOf"].insert(offered["anyOf"].end() - 1, lenient_schema(option));
    }
  }
}

Json only_if(const char* key, const std::string& name, Json then) {
  return {{"if",
           {{"properties", Json::object({{key, Json::object({{"const", name}})}})}, {"required", Json::array({key})}}},
          {"then", std::move(then)}};
}

// Puts `conditions` into `schema` as if, else if, else if: as members of "allOf" editors would not see the rest.
void add_conditions(Json& schema, std::vector<Json> conditions) {
  Json chain;
  for (auto condition = conditions.rbegin(); condition != conditions.rend(); ++condition) {
    if (!chain.is_null()) (*condition)["else"] = std::move(chain);
    chain = std::move(*condition);
  }
  if (chain.is_object()) schema.update(chain);
}

// What holds of "cmd_args" with this workload.
Json with_options_of(const module::Provided& workload) {
  Json then = Json::object({{"properties", Json::object({{"cmd_args", lenient_schema(workload.config_schema)}})}});
  const auto required = workload.config_schema.find("required");
  if (required != workload.config_schema.end() && !required->empty()) then["required"] = Json::array({"cmd_args"});
  return then;
}

// In a file, or in an entry of a scenario, that may have any workload.
void add_workloads(Json& schema, const module::Catalogue& modules) {
  const auto workloads = providers(modules, module::workload_interface);
  offer_names(schema["properties"]["test_template_name"], workloads);
  Json& options = schema["properties"]["cmd_args"];
  options["properties"] = Json::object();
  offer_options(options["properties"], workloads, "config_schema");
  std::vector<Json> conditions;
  for (const auto* workload : workloads) {
    conditions.push_back(only_if("test_template_name", workload->name, with_options_of(*workload)));
  }
  add_conditions(schema, std::move(conditions));
}

void add_reports(Json& schema, const module::Catalogue& modules) {
  Json& reports = schema["properties"]["reports"];
  const Json enable = reports["additionalProperties"]["properties"]["enable"];
  const auto reporters = providers(modules, module::reporter_interface);
  if (reporters.empty()) return;
  reports["additionalProperties"] = false;
  for (const auto* reporter : reporters) {
    Json options = lenient_schema(reporter->config_schema);
    options["properties"]["enable"] = enable;
    options["description"] = "Options of the report '" + reporter->name + "'.";
    reports["properties"][reporter->name] = std::move(options);
  }
}

// What holds of a system file with this scheduler: of the common keys nothing more than what holds anyway.
Json with_scheduler(const Json& common, const module::Provided& scheduler) {
  const Json own = lenient_schema(scheduler.config_schema);
  Json then = Json::object({{"properties", Json::object()}});
  for (const auto& [key, member] : common.items()) then["properties"][key] = true;
  const Json options = own.value("properties", Json::object());
  for (const auto& [key, option] : options.items()) {
    if (!common.contains(key)) then["properties"][key] = option;
  }
  for (const char* keyword : {"required", "additionalProperties"}) {
    if (own.contains(keyword)) then[keyword] = own[keyword];
  }
  return then;
}

Json base(const Json& schema) {
  Json result = Json::object({{"$schema", draft}});
  result.update(lenient_schema(schema));
  return result;
}

}  // namespace

Json test_editor_schema(const module::Catalogue& modules, const module::Provided* workload) {
  Json schema = base(test_schema());
  if (workload == nullptr) {
    add_workloads(schema, modules);
    return schema;
  }
  schema["title"] = "Test file of " + workload->name;
  schema["properties"]["test_template_name"]["const"] = workload->name;
  const Json description = schema["properties"]["cmd_args"]["description"];
  const Json own = with_options_of(*workload);
  schema["properties"]["cmd_args"] = own["properties"]["cmd_args"];
  schema["properties"]["cmd_args"]["description"] = description;
  if (own.contains("required")) schema["required"].push_back("cmd_args");
  return schema;
}

Json system_editor_schema(const module::Catalogue& modules, const module::Provided* scheduler) {
  Json schema = base(system_schema());
  add_reports(schema, modules);
  const Json common = schema["properties"];
  if (scheduler != nullptr) {
    const Json own = with_scheduler(common, *scheduler);
    schema["title"] = "System file with scheduler " + scheduler->name;
    schema["properties"]["scheduler"]["const"] = scheduler->name;
    for (const auto& [key, option] : own["properties"].items()) {
      if (!common.contains(key)) schema["properties"][key] = option;
    }
    for (const Json& key : own.value("required", Json::array())) schema["required"].push_back(key);
    if (own.contains("additionalProperties")) schema["additionalProperties"] = own["additionalProperties"];
    return schema;
  }
  const auto schedulers = providers(modules, module::scheduler_interface);
  offer_names(schema["properties"]["scheduler"], schedulers);
  offer_options(schema["properties"], schedulers, "config_schema");
  std::vector<Json> conditions;
  for (const auto* one : schedulers) {
    conditions.push_back(only_if("scheduler", one->name, with_scheduler(common, *one)));
  }
  add_conditions(schema, std::move(conditions));
  return schema;
}

Json scenario_editor_schema(const module::Catalogue& modules) {
  Json schema = base(scenario_schema());
  add_reports(schema, modules);
  Json& test_case = schema["properties"]["Tests"]["items"];
  add_workloads(test_case, modules);
  offer_options(test_case["properties"], providers(modules, module::scheduler_interface), "case_schema");
  return schema;
}

}  // namespace cloudai::config
