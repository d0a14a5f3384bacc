#include "core/config/system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/config/coercion.hpp"
#include "core/config/defaults.hpp"
#include "core/config/module_settings.hpp"
#include "core/config/reports.hpp"
#include "core/config/schema_check.hpp"
#include "core/config/schemas.hpp"
#include "core/config/secret_options.hpp"
#include "core/config/test.hpp"
#include "core/config/workloads.hpp"

namespace cloudai::config {
namespace {

// The common keys and the scheduler's options in one schema, so that an unknown key is compared with both. A scheduler
// that is not there may have any options.
Json combined_schema(const Json* options) {
  Json schema = system_schema();
  if (options == nullptr) return schema;
  const Json own = options->value("properties", Json::object());
  for (const auto& [name, member] : own.items()) {
    if (!schema["properties"].contains(name)) schema["properties"][name] = member;
  }
  for (const Json& name : options->value("required", Json::array())) schema["required"].push_back(name);
  if (options->contains("additionalProperties")) schema["additionalProperties"] = (*options)["additionalProperties"];
  return schema;
}

class SystemReader {
 public:
  SystemReader(const std::filesystem::path& file, const module::Catalogue& modules, const Environment& environment,
               Diagnostics& diagnostics)
      : modules_(modules), environment_(environment), diagnostics_(diagnostics) {
    reading_.system.file = std::filesystem::absolute(file).lexically_normal();
  }

  SystemReading read(const Node& root) {
    find_scheduler(root);
    const Json* options = reading_.scheduler != nullptr ? &reading_.scheduler->config_schema : nullptr;
    const Result<Schema> schema = Schema::compile(combined_schema(options));
    if (!schema) {
      diagnostics_.error(root.position, "scheduler '" + reading_.system.scheduler + "': " + schema.error().message);
      return std::move(reading_);
    }
    const std::string owner =
        options != nullptr ? "a system file with scheduler '" + reading_.system.scheduler + "'" : "a system file";
    node_ = schema->good_part(coerce(root, schema->json()), {"key", owner}, diagnostics_);
    System& system = reading_.system;
    system.name = text_of(node_, "name");
    read_paths();
    read_running();
    if (const Node* variables = node_.find("global_env_vars")) {
      system.global_env_vars = read_environment(*variables, diagnostics_);
    }
    system.pass_env = read_pass_env(node_, system.global_env_vars, "global_env_vars", diagnostics_);
    if (const Node* reports = node_.find("reports")) system.reports = read_reports(*reports, modules_, diagnostics_);
    // A wrong value in the table is no reason to keep quiet about a wrong name in it.
    if (const Node* table = root.find("modules")) system.isolation = read_isolation(*table, modules_, diagnostics_);
    system.options = own_options(options);
    system.secret_options = secret_options(system.options, schema->json());
    return std::move(reading_);
  }

 private:
  Position at(std::string_view key) const { return position_of(node_, "/" + std::string(key)); }

  void find_scheduler(const Node& root) {
    const Node* name = root.find("scheduler");
    reading_.system.scheduler = text_of(root, "scheduler");
    if (name == nullptr || reading_.system.scheduler.empty()) return;  // the schema's check will say so
    const auto found = modules_.find(module::scheduler_interface, reading_.system.scheduler);
    if (found) {
      reading_.scheduler = found->provided;
    } else {
      diagnostics_.error(position_of(root, "/scheduler"), sentence_of(found.error()), module_missing);
    }
  }

  std::filesystem::path path(std::string_view key) {
    const std::string text = text_of(node_, key);
    if (text.empty()) return {};
    Result<std::filesystem::path> expanded = expand_path(text, environment_);
    if (expanded) return *std::move(expanded);
    diagnostics_.error(at(key), "'" + std::string(key) + "': " + expanded.error().message);
    return {};
  }

  void read_paths() {
    System& system = reading_.system;
    system.install_path = path("install_path");
    system.output_path = path("output_path");
    system.hf_home_path = path("hf_home_path");
    if (system.hf_home_path.empty()) system.hf_home_path = system.install_path / "huggingface";
  }

  // The scheduler's own default of a common key, from its entry in the manifest.
  const Json* default_of(const char* key) const {
    if (reading_.scheduler == nullptr) return nullptr;
    const auto found = reading_.scheduler->manifest_entry.find(key);
    return found != reading_.scheduler->manifest_entry.end() && found->is_number() ? &*found : nullptr;
  }

  void read_running() {
    System& system = reading_.system;
    const Node* interval = node_.find("monitor_interval");
    const Json* default_interval = default_of("monitor_interval");
    double seconds = default_interval != nullptr ? default_interval->get<double>() : 1;
    if (interval != nullptr) seconds = to_json(*interval).get<double>();
    system.monitor_interval = std::chrono::milliseconds(std::max(1L, std::lround(seconds * 1000)));
    const Json* default_parallel = default_of("max_parallel");
    if (default_parallel != nullptr) system.max_parallel = default_parallel->get<int>();
    if (const Node* parallel = node_.find("max_parallel")) {
      system.max_parallel = static_cast<int>(std::get<std::int64_t>(parallel->value));
    }
  }

  Json own_options(const Json* schema) const {
    const Json& common = system_schema()["properties"];
    Table own;
    for (const Entry& entry : std::get<Table>(node_.value)) {
      if (!common.contains(entry.key)) own.push_back(entry);
    }
    const Json options = to_json({std::move(own), {}});
    return schema != nullptr ? with_defaults(options, *schema) : options;
  }

  const module::Catalogue& modules_;
  const Environment& environment_;
  Diagnostics& diagnostics_;
  Node node_;
  SystemReading reading_;
};

}  // namespace

SystemReading read_system(const Node& root, const std::filesystem::path& file, const module::Catalogue& modules,
                          const Environment& environment, Diagnostics& diagnostics) {
  return SystemReader(file, modules, environment, diagnostics).read(root);
}

}  // namespace cloudai::config
