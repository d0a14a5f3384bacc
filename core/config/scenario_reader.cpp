#include "core/config/scenario_reader.hpp"

#include <utility>

#include "core/config/case_reader.hpp"
#include "core/config/case_schema.hpp"
#include "core/config/coercion.hpp"
#include "core/config/dependencies.hpp"
#include "core/config/file_names.hpp"
#include "core/config/reports.hpp"
#include "core/config/schema_check.hpp"
#include "core/config/schemas.hpp"
#include "core/config/test.hpp"
#include "core/support/log.hpp"

namespace cloudai::config {
namespace {

// The keys of the file without those of its cases: each case is checked by itself, so that one with a mistake does not
// hide others'.
const Schema& top_schema() {
  static const Schema schema = [] {
    Json json = scenario_schema();
    json["properties"]["Tests"].erase("items");
    return *Schema::compile(std::move(json));
  }();
  return schema;
}

class ScenarioReader {
 public:
  ScenarioReader(const Node& root, const std::filesystem::path& file, const ScenarioContext& context,
                 Diagnostics& diagnostics)
      : context_(context), diagnostics_(diagnostics) {
    const Node whole = coerce(root, scenario_schema());
    node_ = top_schema().good_part(whole, {"key", "a scenario file"}, diagnostics);
    reading_.scenario.file = std::filesystem::absolute(file).lexically_normal();
  }

  ScenarioReading read() {
    read_name();
    if (const Node* check = node_.find("job_status_check"))
      reading_.scenario.job_status_check = std::get<bool>(check->value);
    if (const Node* limit = node_.find("max_parallel")) {
      reading_.scenario.max_parallel = static_cast<int>(std::get<std::int64_t>(limit->value));
    }
    if (const Node* reports = node_.find("reports")) {
      reading_.scenario.reports = read_reports(*reports, context_.modules, diagnostics_);
    }
    if (node_.find("sol_path") != nullptr)
      log::debug("{}: 'sol_path' is accepted and not used.", to_string(at("sol_path")));
    reading_.prologue = hooks("prologue", "pre_test");
    reading_.epilogue = hooks("epilogue", "post_test");
    for (const HookReference& hook : reading_.prologue) reading_.scenario.prologue_names.push_back(hook.name);
    for (const HookReference& hook : reading_.epilogue) reading_.scenario.epilogue_names.push_back(hook.name);
    read_cases();
    return std::move(reading_);
  }

  const Node& node() const { return node_; }

 private:
  Position at(std::string_view key) const { return position_of(node_, "/" + std::string(key)); }

  void read_name() {
    if (node_.find("name") == nullptr) return;  // the schema's check has said so
    reading_.scenario.name = text_of(node_, "name");
    const std::string fault = fault_as_part_of_file_name(reading_.scenario.name);
    if (fault.empty()) return;
    diagnostics_.error(at("name"),
                       "the scenario's name " + Json(reading_.scenario.name).dump() + " " + fault +
                           ". The results directory and report files are named after it; choose another name.");
  }

  std::vector<HookReference> hooks(std::string_view key, std::string_view alias) {
    const bool has_alias = node_.find(alias) != nullptr;
    if (has_alias && node_.find(key) != nullptr) {
      diagnostics_.error(at(alias), "'" + std::string(alias) + "' is another name of '" + std::string(key) +
                                        "', which is given, too. Give one of them.");
    }
    const std::string_view given = has_alias ? alias : key;
    const Node* names = node_.find(given);
    std::vector<HookReference> references;
    if (names == nullptr) return references;
    if (const auto* name = std::get_if<std::string>(&names->value)) {
      references.push_back({*name, at(given)});
    } else {
      for (const Node& item : std::get<Array>(names->value)) {
        references.push_back({std::get<std::string>(item.value), item.position});
      }
    }
    // Files of older versions say "" for none.
    std::erase_if(references, [](const HookReference& reference) { return reference.name.empty(); });
    return references;
  }

  void read_cases() {
    const Node* tests = node_.find("Tests");
    if (tests == nullptr) return;
    const Schema schema = case_schema(context_.scheduler, context_.modules);
    const Array& cases = std::get<Array>(tests->value);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const std::string id = text_of(cases[i], "id");
      const std::string place = "Tests[" + std::to_string(i) + "]";
      const Subject subject{"key", id.empty() ? place : "test '" + id + "'", place};
      const Node good = schema.good_part(coerce(cases[i], schema.json()), subject, diagnostics_);
      if (!std::holds_alternative<Table>(good.value)) continue;
      CaseReading read = read_case(good, context_, diagnostics_);
      reading_.has_unknown_test = reading_.has_unknown_test || read.has_unknown_test;
      check_against_reports(read.value);
      reading_.scenario.cases.push_back(std::move(read.value));
    }
  }

  // Reports of the scenario stand beside the tests' directories.
  void check_against_reports(const Case& value) {
    constexpr std::array<std::string_view, 5> endings{".html", ".csv", ".md", ".xml", ".tar.gz"};
    const auto ends = [&](std::string_view ending) { return value.id.ends_with(ending); };
    const std::string& name = reading_.scenario.name;
    if (name.empty() || !value.id.starts_with(name) || std::none_of(endings.begin(), endings.end(), ends)) return;
    diagnostics_.error(value.position, "the id '" + value.id +
                                           "' may be the name of a report of the scenario. The test's results stand in "
                                           "a directory of this name; choose another id.");
  }

  const ScenarioContext& context_;
  Diagnostics& diagnostics_;
  Node node_;
  ScenarioReading reading_;
};

// A hook's tests run in the file's order, once for each run they belong to, on that run's nodes.
void check_as_hook(const Node& node, const ScenarioReading& reading, Diagnostics& diagnostics) {
  for (const auto* hooks : {&reading.prologue, &reading.epilogue}) {
    for (const HookReference& hook : *hooks) {
      diagnostics.error(hook.position, "a hook cannot have hooks of its own, such as '" + hook.name + "'.");
    }
  }
  for (const char* key : {"job_status_check", "max_parallel", "reports"}) {
    if (node.find(key) == nullptr) continue;
    diagnostics.warning(position_of(node, std::string("/") + key),
                        std::string("'") + key + "' has no meaning in a hook and is ignored.");
  }
  for (const Case& value : reading.scenario.cases) {
    const std::string subject = "hook test '" + value.id + "': ";
    if (value.iterations != 1)
      diagnostics.warning(value.position, subject + "'iterations' is ignored; a hook's test runs once.");
    if (!value.dependencies.empty()) {
      diagnostics.warning(value.position,
                          subject + "'dependencies' are ignored; a hook's tests run in the order of the file.");
    }
    if (!value.nodes.empty() || !value.exclude_nodes.empty()) {
      diagnostics.error(value.position,
                        subject + "a hook's test runs on nodes of the run it belongs to; give 'num_nodes' at most.");
    }
    const std::string fault = fault_as_directory_name(value.test.name);
    if (value.test.name.empty() || fault.empty()) continue;
    diagnostics.error(value.test.position, "the name " + Json(value.test.name).dump() + " of a hook's test " + fault +
                                               ". Its results stand in a directory of this name; choose another name.");
  }
}

}  // namespace

ScenarioReading read_scenario(const Node& root, const std::filesystem::path& file, const ScenarioContext& context,
                              Diagnostics& diagnostics) {
  ScenarioReading reading = ScenarioReader(root, file, context, diagnostics).read();
  check_dependencies(reading.scenario.cases, diagnostics);
  return reading;
}

ScenarioReading read_hook_scenario(const Node& root, const std::filesystem::path& file, const ScenarioContext& context,
                                   Diagnostics& diagnostics) {
  ScenarioReader reader(root, file, context, diagnostics);
  ScenarioReading reading = reader.read();
  check_as_hook(reader.node(), reading, diagnostics);
  return reading;
}

}  // namespace cloudai::config
