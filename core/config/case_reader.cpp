#include "core/config/case_reader.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/config/capabilities.hpp"
#include "core/config/case_schema.hpp"
#include "core/config/file_names.hpp"
#include "core/config/node_count.hpp"
#include "core/config/test.hpp"
#include "core/config/time_limit.hpp"
#include "core/support/log.hpp"
#include "core/support/nearest.hpp"

namespace cloudai::config {
namespace {

// The keys of a case that belong to its test.
constexpr std::array test_keys = {std::string_view("name"),
                                  std::string_view("description"),
                                  std::string_view("cmd_args"),
                                  std::string_view("extra_env_vars"),
                                  std::string_view("pass_env"),
                                  std::string_view("nsys"),
                                  std::string_view("extra_cmd_args"),
                                  std::string_view("extra_container_mounts"),
                                  std::string_view("test_template_name")};

class CaseReader {
 public:
  CaseReader(const Node& node, const ScenarioContext& context, Diagnostics& diagnostics)
      : node_(node), context_(context), diagnostics_(diagnostics) {}

  CaseReading read() {
    Case& value = reading_.value;
    value.position = node_.position;
    read_id();
    if (std::optional<Test> test = read_test_of_case()) {
      value.test = std::move(*test);
      reading_.has_test = true;
    }
    read_nodes();
    read_time_limit();
    if (const Node* iterations = node_.find("iterations")) value.iterations = integer(*iterations);
    if (const Node* speed = node_.find("sol")) value.speed_of_light = number(*speed);
    read_dependencies();
    value.scheduler_options = scheduler_options(node_, context_.scheduler, context_.modules, diagnostics_);
    note_unused_keys();
    return std::move(reading_);
  }

 private:
  Position at(std::string_view key) const { return position_of(node_, "/" + std::string(key)); }

  static int integer(const Node& node) { return static_cast<int>(std::get<std::int64_t>(node.value)); }

  static double number(const Node& node) {
    const auto* whole = std::get_if<std::int64_t>(&node.value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(node.value);
  }

  std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> texts;
    if (const Node* list = node_.find(key)) {
      for (const Node& item : std::get<Array>(list->value)) texts.push_back(std::get<std::string>(item.value));
    }
    return texts;
  }

  void read_id() {
    // Of the core, and of a job of several tests, which has the results directory for its own.
    constexpr std::array files_of_results = {"summary.json", "inputs.json",   "journal.jsonl", "debug.log",
                                             "status",       "metadata",      "common.out",    "common.err",
                                             "attempt-1",    "slurm-job.toml"};
    if (node_.find("id") == nullptr) return;  // the schema's check has said so
    reading_.value.id = text_of(node_, "id");
    const std::string& id = reading_.value.id;
    std::string fault = fault_as_directory_name(id);
    if (std::find(files_of_results.begin(), files_of_results.end(), id) != files_of_results.end()) {
      fault = "is the name of a file among the results";
    }
    if (!fault.empty()) {
      diagnostics_.error(at("id"), "the id " + Json(id).dump() + " " + fault +
                                       ". The test's results stand in a directory of this name; choose another id.");
    }
  }

  // The keys of the case that describe its test, as a table of their own.
  Node own_test_keys() const {
    Table keys;
    for (const Entry& entry : std::get<Table>(node_.value)) {
      if (std::find(test_keys.begin(), test_keys.end(), entry.key) != test_keys.end()) keys.push_back(entry);
    }
    return {std::move(keys), node_.position};
  }

  std::optional<Test> read_test_of_case() {
    if (node_.find("test_name") == nullptr) return read_inline_test();
    if (node_.find("test_template_name") != nullptr) {
      diagnostics_.error(
          at("test_template_name"),
          "'test_template_name' and 'test_name' exclude each other: the test named already has a workload.");
      return std::nullopt;
    }
    TestFile* base = find_test(text_of(node_, "test_name"));
    if (base == nullptr) return std::nullopt;
    base->is_used = true;
    const Node overrides = own_test_keys();
    if (std::get<Table>(overrides.value).empty()) return base->test;
    if (!base->keys) return std::nullopt;
    return finished(read_test(merge(*base->keys, overrides), context_.workloads, diagnostics_));
  }

  std::optional<Test> read_inline_test() {
    std::string missing;
    for (const char* key : {"name", "description", "test_template_name"}) {
      if (node_.find(key) == nullptr) missing += (missing.empty() ? "'" : ", '") + std::string(key) + "'";
    }
    if (missing.empty()) return finished(read_test(own_test_keys(), context_.workloads, diagnostics_));
    diagnostics_.error(
        node_.position,
        "test '" + reading_.value.id +
            "' does not say what to run: give 'test_name', or define the test here (missing: " + missing + ").");
    return std::nullopt;
  }

  std::optional<Test> finished(std::optional<Test> test) const {
    if (test) test->position = node_.position;
    return test;
  }

  TestFile* find_test(const std::string& name) {
    for (TestLibrary* library : context_.tests) {
      const std::vector<TestFile*> found = library->find(name);
      if (found.empty()) continue;
      if (found.size() > 1) {
        diagnostics_.error(at("test_name"), "test '" + name + "' is defined twice: in " + found[0]->path.string() +
                                                " and in " + found[1]->path.string() + ". Rename or remove one.");
      }
      return found.front();
    }
    reading_.has_unknown_test = true;
    report_unknown_test(name);
    return nullptr;
  }

  void report_unknown_test(const std::string& name) {
    std::string places;
    std::vector<std::string> names;
    for (const TestLibrary* library : context_.tests) {
      places += (places.empty() ? "" : " and ") + library->place();
      for (std::string& known : library->names()) names.push_back(std::move(known));
    }
    if (places.empty()) {
      diagnostics_.error(at("test_name"),
                         "test '" + name + "' is not defined: no directory of tests was given (--tests-dir).");
      return;
    }
    const std::string advice = did_you_mean(name, names);
    diagnostics_.error(at("test_name"),
                       "test '" + name + "' is not defined in " + places + (advice.empty() ? "." : advice));
  }

  void read_nodes() {
    Case& value = reading_.value;
    const Node* count = node_.find("num_nodes");
    value.num_nodes_explicit = count != nullptr;
    if (count != nullptr) value.num_nodes = integer(*count);
    value.nodes = texts("nodes");
    value.exclude_nodes = texts("exclude_nodes");
    if (!value.nodes.empty()) {
      const std::optional<int> named = node_count(value.nodes);
      if (named && count != nullptr && *named != value.num_nodes) {
        diagnostics_.error(at("num_nodes"), "'num_nodes' is " + std::to_string(value.num_nodes) +
                                                ", but 'nodes' names " + std::to_string(*named) +
                                                ". Leave out one, or make them agree.");
      }
      if (named && count == nullptr) value.num_nodes = *named;
    }
    if (context_.scheduler != nullptr) check_nodes(value, node_, *context_.scheduler, diagnostics_);
    if (context_.scheduler != nullptr && reading_.has_test) check_needs();
  }

  void check_needs() {
    const Test& test = reading_.value.test;
    const WorkloadOptions* workload = context_.workloads.find(test.workload, node_.position, diagnostics_);
    if (workload == nullptr) return;
    config::check_needs(*workload->provided, *context_.scheduler, node_.position, diagnostics_);
  }

  void read_time_limit() {
    const Node* node = node_.find("time_limit");
    if (node == nullptr) return;
    const Result<TimeLimit> limit = parse_time_limit(std::get<std::string>(node->value));
    if (!limit) return diagnostics_.error(at("time_limit"), limit.error().message);
    if (!limit->warning.empty()) diagnostics_.warning(at("time_limit"), limit->warning);
    reading_.value.time_limit = limit->limit;
  }

  void read_dependencies() {
    const Node* list = node_.find("dependencies");
    if (list == nullptr) return;
    for (const Node& item : std::get<Array>(list->value)) {
      Dependency dependency;
      const std::string type = text_of(item, "type");
      for (const auto known : {DependencyType::start_post_init, DependencyType::end_post_comp}) {
        if (type == to_string(known)) dependency.type = known;
      }
      dependency.id = text_of(item, "id");
      dependency.position = item.position;
      std::vector<Dependency>& known = reading_.value.dependencies;
      const bool is_repeated = std::any_of(known.begin(), known.end(), [&](const Dependency& other) {
        return other.type == dependency.type && other.id == dependency.id;
      });
      if (is_repeated) {
        diagnostics_.warning(item.position, "the dependency on '" + dependency.id + "' is there twice.");
      } else {
        known.push_back(std::move(dependency));
      }
    }
  }

  void note_unused_keys() const {
    for (const char* key : {"weight", "ideal_perf"}) {
      if (node_.find(key) != nullptr) log::debug("{}: '{}' is accepted and not used.", to_string(at(key)), key);
    }
  }

  const Node& node_;
  const ScenarioContext& context_;
  Diagnostics& diagnostics_;
  CaseReading reading_;
};

}  // namespace

CaseReading read_case(const Node& node, const ScenarioContext& context, Diagnostics& diagnostics) {
  return CaseReader(node, context, diagnostics).read();
}

}  // namespace cloudai::config
