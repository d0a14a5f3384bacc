// The schemas for editors against the example files and the manifests of the tree.
#include "core/config/editor_schema.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "core/config/config_file.hpp"
#include "core/config/file_kind.hpp"
#include "core/config/schema_check.hpp"
#include "core/module/manifest.hpp"
#include "core/support/files.hpp"
#include "tests/paths.hpp"

namespace cloudai::config {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

// The modules of the tree, from their manifests.
module::Catalogue modules_of_tree() {
  std::vector<module::ModuleFile> files;
  for (const auto& entry : fs::recursive_directory_iterator(tree::source_directory() + "/modules")) {
    if (entry.path().filename() != "manifest.json") continue;
    const auto manifest = module::read_manifest(files::read(entry.path()).value());
    if (!manifest) throw std::runtime_error(entry.path().string() + " " + manifest.error());
    module::ModuleFile file;
    file.path = entry.path();
    file.id = manifest->id;
    file.manifest = manifest->document;
    file.provides = manifest->provides;
    files.push_back(std::move(file));
  }
  return module::Catalogue::of(std::move(files));
}

struct EditorSchema : testing::Test {
  const module::Provided* provider(std::string_view interface_id, const std::string& name) const {
    const auto found = modules_.find(interface_id, name);
    return found ? found->provided : nullptr;
  }

  std::vector<std::string> problems(const Json& schema, const Node& root) const {
    const auto compiled = Schema::compile(schema);
    if (!compiled) return {compiled.error().message};
    Diagnostics diagnostics;
    compiled->check(root, {"key", "the file"}, diagnostics);
    std::vector<std::string> found;
    for (const auto& diagnostic : diagnostics.all()) found.push_back(diagnostic.message);
    return found;
  }

  std::vector<std::string> problems_of_toml(const Json& schema, const std::string& text) const {
    Diagnostics diagnostics;
    const auto root = parse_config(text, "file.toml", diagnostics);
    return root ? problems(schema, *root) : std::vector<std::string>{"this is no TOML"};
  }

  module::Catalogue modules_ = modules_of_tree();
};

Node read_file(const fs::path& path) {
  Diagnostics diagnostics;
  auto root = read_config_file(path, diagnostics);
  if (!root) throw std::runtime_error(path.string() + " cannot be read");
  return *std::move(root);
}

std::string name_in(const Node& root, const char* key) {
  const Node* member = root.find(key);
  return member != nullptr ? std::get<std::string>(member->value) : std::string();
}

TEST_F(EditorSchema, AcceptTheExamples) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(tree::source_directory() + "/conf")) {
    if (!entry.is_regular_file() || !is_config_file_name(entry.path())) continue;
    const Node root = read_file(entry.path());
    const FileKind kind = kind_of(root, entry.path());
    if (kind == FileKind::test) {
      const auto* workload = provider(module::workload_interface, name_in(root, "test_template_name"));
      ASSERT_NE(workload, nullptr) << entry.path();
      EXPECT_THAT(problems(test_editor_schema(modules_, nullptr), root), IsEmpty()) << entry.path();
      EXPECT_THAT(problems(test_editor_schema(modules_, workload), root), IsEmpty()) << entry.path();
    } else if (kind == FileKind::system) {
      const auto* scheduler = provider(module::scheduler_interface, name_in(root, "scheduler"));
      if (scheduler == nullptr) continue;  // an example for a module that is not there
      EXPECT_THAT(problems(system_editor_schema(modules_, nullptr), root), IsEmpty()) << entry.path();
      EXPECT_THAT(problems(system_editor_schema(modules_, scheduler), root), IsEmpty()) << entry.path();
    } else {
      EXPECT_THAT(problems(scenario_editor_schema(modules_), root), IsEmpty()) << entry.path();
    }
    ++count;
  }
  EXPECT_GT(count, 15U);
}

TEST_F(EditorSchema, TellAMistypedOption) {
  const std::string test = "name = 'a'\ndescription = 'b'\ntest_template_name = 'NcclTest'\n[cmd_args]\n";
  const auto* workload = provider(module::workload_interface, "NcclTest");
  for (const Json& schema : {test_editor_schema(modules_, nullptr), test_editor_schema(modules_, workload)}) {
    EXPECT_THAT(problems_of_toml(schema, test + "ngpus = '2'\n"), IsEmpty());
    EXPECT_FALSE(problems_of_toml(schema, test + "ngpus = 'many'\n").empty());
  }
  const std::string sleep = "name = 'a'\ndescription = 'b'\ntest_template_name = 'Sleep'\n[cmd_args]\n";
  EXPECT_THAT(problems_of_toml(test_editor_schema(modules_, nullptr), sleep + "seconds = '2.5'\n"), IsEmpty());
  EXPECT_FALSE(problems_of_toml(test_editor_schema(modules_, nullptr), sleep + "secondz = 2\n").empty());
  EXPECT_FALSE(problems_of_toml(test_editor_schema(modules_, nullptr), sleep + "cmd = 'true'\n").empty())
      << "an option of another workload";
}

TEST_F(EditorSchema, TellANameThatNoModuleHas) {
  EXPECT_FALSE(problems_of_toml(test_editor_schema(modules_, nullptr),
                                "name = 'a'\ndescription = 'b'\ntest_template_name = 'Slep'\n")
                   .empty());
  const std::string system = "name = 'a'\ninstall_path = 'i'\noutput_path = 'o'\n";
  EXPECT_THAT(problems_of_toml(system_editor_schema(modules_, nullptr), system + "scheduler = 'standalone'\n"),
              IsEmpty());
  EXPECT_FALSE(problems_of_toml(system_editor_schema(modules_, nullptr), system + "scheduler = 'standalon'\n").empty());
  EXPECT_FALSE(problems_of_toml(system_editor_schema(modules_, nullptr),
                                system + "scheduler = 'standalone'\ndefault_partition = 'a'\n")
                   .empty())
      << "a key of another scheduler";
  EXPECT_FALSE(
      problems_of_toml(system_editor_schema(modules_, nullptr), system + "scheduler = 'standalone'\n[reports.htlm]\n")
          .empty());
}

TEST_F(EditorSchema, AWorkloadsRequiredOptionsAreRequiredOfItsTestsAlone) {
  const std::string head = "name = 'a'\ndescription = 'b'\ntest_template_name = ";
  const Json any = test_editor_schema(modules_, nullptr);
  EXPECT_FALSE(problems_of_toml(any, head + "'BashCmd'\n").empty());
  EXPECT_THAT(problems_of_toml(any, head + "'Sleep'\n"), IsEmpty());
}

TEST_F(EditorSchema, TakeWhatTheCoreTakesInAScenario) {
  const Json schema = scenario_editor_schema(modules_);
  EXPECT_THAT(
      problems_of_toml(schema,
                       "name = 's'\nprologue = ['a', 'b']\n[reports.html]\nenable = false\n"
                       "[[Tests]]\nid = 'a'\ntest_name = 't'\nnum_nodes = '2'\ntime_limit = 20\niterations = 3.0\n"
                       "[Tests.cmd_args]\nanything = 1\n"
                       "[[Tests]]\nid = 'b'\nname = 'x'\ndescription = 'y'\ntest_template_name = 'Sleep'\n"
                       "[Tests.cmd_args]\nseconds = 1\n"),
      IsEmpty());
  EXPECT_FALSE(problems_of_toml(schema, "name = 's'\n[[Tests]]\nid = 'a'\ntest_nam = 't'\n").empty());
}

// Every option of every file is told what it is for where the cursor stands on it.
void expect_descriptions(const Json& schema, const std::string& path) {
  if (!schema.is_object()) return;
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [name, member] : properties.items()) {
    EXPECT_TRUE(member.is_object() && !text_of(member, "description").empty()) << path << "." << name;
    expect_descriptions(member, path + "." + name);
  }
  for (const char* nested : {"items", "additionalProperties"}) {
    if (schema.contains(nested)) expect_descriptions(schema[nested], path + "." + nested);
  }
}

TEST_F(EditorSchema, DescribeEveryKey) {
  expect_descriptions(test_editor_schema(modules_, nullptr), "test");
  expect_descriptions(scenario_editor_schema(modules_), "scenario");
  expect_descriptions(system_editor_schema(modules_, nullptr), "system");
  for (const std::string& name : modules_.names(module::workload_interface)) {
    expect_descriptions(test_editor_schema(modules_, provider(module::workload_interface, name)), name);
  }
  for (const std::string& name : modules_.names(module::scheduler_interface)) {
    expect_descriptions(system_editor_schema(modules_, provider(module::scheduler_interface, name)), name);
  }
}

}  // namespace
}  // namespace cloudai::config
