#include "core/config/test.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "cloudai/shell_text.hpp"
#include "core/config/coercion.hpp"
#include "core/config/defaults.hpp"
#include "core/config/schema_walk.hpp"
#include "core/config/schemas.hpp"
#include "core/config/secret_options.hpp"
#include "core/support/nearest.hpp"

namespace cloudai::config {
namespace {

const Schema& compiled_test_schema() {
  // Built in and tested: it compiles.
  static const Schema schema = *Schema::compile(test_schema());
  return schema;
}

const Schema& compiled_nsys_schema() {
  static const Schema schema = *Schema::compile(test_schema()["properties"]["nsys"]);
  return schema;
}

bool is_variable_name(std::string_view name) {
  const auto is_legal = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::all_of(name.begin(), name.end(), is_legal);
}

std::string scalar_text(const Node& node) {
  const auto* text = std::get_if<std::string>(&node.value);
  return text != nullptr ? *text : to_json(node).dump();
}

void check_variable_name(const std::string& name, const Position& position, Diagnostics& diagnostics) {
  if (is_variable_name(name)) {
    if (is_kept_by_shell(name)) {
      diagnostics.error(position,
                        "'" + name + "' cannot be set: the shell or the script that runs a job keeps it to itself.");
    }
    return;
  }
  diagnostics.error(position,
                    "'" + name +
                        "' is no name for an environment variable: letters, digits and '_' are allowed, and no "
                        "digit first.");
}

std::vector<EnvironmentVariable> read_pairs(const Node* table) {
  std::vector<EnvironmentVariable> pairs;
  if (table == nullptr) return pairs;
  for (const Entry& entry : std::get<Table>(table->value)) pairs.push_back({entry.key, scalar_text(entry.node)});
  return pairs;
}

// In a table that takes any key, a list under a key that the schema does not know would be a sweep.
bool refuse_sweeps(const Node& options, const Json& schema, Diagnostics& diagnostics) {
  bool is_good = true;
  for (const Entry& entry : std::get<Table>(options.value)) {
    if (member_schema(schema, entry.key) != nullptr || !contains_list(entry.node)) continue;
    diagnostics.error(entry.key_position, "'cmd_args." + entry.key + "': found a list. " + std::string(no_sweeps));
    is_good = false;
  }
  return is_good;
}

// Options that a workload hands on unread may still be its own, misspelt.
void warn_of_misspelt_options(const Node& options, const WorkloadOptions& workload, Diagnostics& diagnostics) {
  const std::vector<std::string> names = member_names(workload.schema.json());
  for (const Entry& entry : std::get<Table>(options.value)) {
    if (member_schema(workload.schema.json(), entry.key) != nullptr) continue;
    const std::string advice = did_you_mean(entry.key, names);
    if (advice.empty()) continue;
    diagnostics.warning(entry.key_position, "'cmd_args." + entry.key + "' is no option of workload " +
                                                workload.provided->name + " and is handed on as it is" + advice);
  }
}

std::optional<Json> read_options(const Node& node, Workloads& workloads, Diagnostics& diagnostics) {
  const std::string name = text_of(node, "test_template_name");
  if (name.empty()) return std::nullopt;  // the check of the keys has said so
  const Position position = position_of(node, "/test_template_name");
  const WorkloadOptions* workload = workloads.find(name, position, diagnostics);
  if (workload == nullptr) return std::nullopt;
  const Node* given = node.find("cmd_args");
  const Node options = coerce(given != nullptr ? *given : Node{Table{}, position}, workload->schema.json());
  const Subject subject{"option", "workload " + name, "cmd_args", true};
  if (!workload->schema.check(options, subject, diagnostics)) return std::nullopt;
  if (!refuse_sweeps(options, workload->schema.json(), diagnostics)) return std::nullopt;
  warn_of_misspelt_options(options, *workload, diagnostics);
  return with_defaults(to_json(options), workload->schema.json());
}

// The profiler's options; null without one. Those of a case lie over the test file's, so only the whole can be checked.
Json read_nsys(const Node& test, Diagnostics& diagnostics) {
  const Node* given = test.find("nsys");
  if (given == nullptr) return nullptr;
  const Schema& schema = compiled_nsys_schema();
  const Node options = coerce(*given, schema.json());
  if (!schema.check(options, {"key", "'nsys'", "nsys"}, diagnostics)) return nullptr;
  return with_defaults(to_json(options), schema.json());
}

}  // namespace

std::string text_of(const Node& table, std::string_view key) {
  const Node* member = table.find(key);
  const auto* text = member == nullptr ? nullptr : std::get_if<std::string>(&member->value);
  return text == nullptr ? std::string() : *text;
}

Node read_test_keys(const Node& root, Diagnostics& diagnostics) {
  return compiled_test_schema().good_part(coerce(root, test_schema()), {"key", "a test file"}, diagnostics);
}

std::vector<EnvironmentVariable> read_environment(const Node& table, Diagnostics& diagnostics) {
  for (const Entry& entry : std::get<Table>(table.value)) {
    check_variable_name(entry.key, entry.key_position, diagnostics);
  }
  return read_pairs(&table);
}

std::vector<std::string> read_pass_env(const Node& table, const std::vector<EnvironmentVariable>& values,
                                       std::string_view key_of_values, Diagnostics& diagnostics) {
  std::vector<std::string> names;
  const Node* list = table.find("pass_env");
  if (list == nullptr) return names;
  for (const Node& item : std::get<Array>(list->value)) {
    const auto& name = std::get<std::string>(item.value);
    check_variable_name(name, item.position, diagnostics);
    if (std::any_of(values.begin(), values.end(), [&](const auto& variable) { return variable.name == name; })) {
      diagnostics.error(item.position, "'" + name + "' stands in 'pass_env' and in '" + std::string(key_of_values) +
                                           "'; give it in one of them.");
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::optional<Test> read_test(const Node& node, Workloads& workloads, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.error_count();
  Test test;
  test.name = text_of(node, "name");
  test.description = text_of(node, "description");
  test.workload = text_of(node, "test_template_name");
  test.position = position_of(node, "/name");
  test.extra_cmd_args = read_pairs(node.find("extra_cmd_args"));
  if (const Node* variables = node.find("extra_env_vars"))
    test.extra_env_vars = read_environment(*variables, diagnostics);
  test.pass_env = read_pass_env(node, test.extra_env_vars, "extra_env_vars", diagnostics);
  test.nsys = read_nsys(node, diagnostics);
  if (const Node* mounts = node.find("extra_container_mounts")) {
    for (const Node& mount : std::get<Array>(mounts->value)) test.extra_container_mounts.push_back(scalar_text(mount));
  }
  std::optional<Json> options = read_options(node, workloads, diagnostics);
  if (!options || diagnostics.error_count() != errors_before) return std::nullopt;
  test.cmd_args = std::move(*options);
  const WorkloadOptions* workload = workloads.find(test.workload, test.position, diagnostics);
  test.secret_options = secret_options(test.cmd_args, workload->schema.json());
  return test;
}

}  // namespace cloudai::config
