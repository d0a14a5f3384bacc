// The file cloudai_add_module() builds: one exported symbol, and the manifest in an ELF note that nothing strips.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstring>
#include <sstream>

#include "tests/paths.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai::testing {
namespace {

struct ModuleFile {
  std::string name;
  std::string module;
  std::string manifest;
};

std::string output_of(const std::string& command) {
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string output;
  char buffer[4096];
  for (std::size_t size = 0; (size = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, size);
  const int status = ::pclose(pipe);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error(command + " failed");
  return output;
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream content;
  content << stream.rdbuf();
  return content.str();
}

// The text of the note in `module`, which has to be the only one of its section.
std::string manifest_note(const std::string& module, const TemporaryDirectory& scratch) {
  const std::string dump = (scratch.path() / "note").string();
  output_of("objcopy -O binary --only-section=.note.cloudai '" + module + "' '" + dump + "'");
  const std::string note = content_of(dump);
  std::uint32_t header[3] = {};
  if (note.size() < sizeof header + 8) return {};
  std::memcpy(header, note.data(), sizeof header);
  EXPECT_EQ(header[0], sizeof CLOUDAI_NOTE_OWNER);
  EXPECT_EQ(header[2], CLOUDAI_NOTE_MANIFEST);
  EXPECT_STREQ(note.c_str() + sizeof header, CLOUDAI_NOTE_OWNER);
  EXPECT_EQ(note.size(), sizeof header + 8 + (header[1] + 3) / 4 * 4);
  return note.substr(sizeof header + 8, header[1]);
}

class BuiltModule : public ::testing::TestWithParam<ModuleFile> {
 protected:
  TemporaryDirectory scratch_;
};

TEST_P(BuiltModule, ExportsOneSymbol) {
  std::istringstream symbols(output_of("nm -D --defined-only --format=posix '" + GetParam().module + "'"));
  std::vector<std::string> names;
  for (std::string line; std::getline(symbols, line);) names.push_back(line.substr(0, line.find(' ')));
  EXPECT_EQ(names, std::vector<std::string>{"cloudai_module_entry_v0"});
}

TEST_P(BuiltModule, CarriesItsManifest) {
  const std::string manifest = content_of(GetParam().manifest);
  ASSERT_FALSE(manifest.empty());
  EXPECT_EQ(manifest_note(GetParam().module, scratch_), manifest);

  const FakeHost host;
  const LoadedModule module(GetParam().module, host);
  EXPECT_EQ(module.manifest(), manifest);
  EXPECT_EQ(module.entry().struct_size, sizeof(cloudai_module_entry));
  EXPECT_EQ(module.entry().abi_major, CLOUDAI_ABI_MAJOR);
  EXPECT_EQ(module.entry().abi_minor_required, 0);
}

TEST_P(BuiltModule, ProvidesWhatItsManifestSays) {
  const FakeHost host;
  const LoadedModule module(GetParam().module, host);
  const Json manifest = Json::parse(module.manifest());
  for (const Json& provided : manifest.at("provides")) {
    EXPECT_NE(module.interface<void>(provided.at("interface").get<std::string>()), nullptr) << provided;
  }
}

TEST_P(BuiltModule, KeepsItsManifestWhenStripped) {
  const std::string stripped = (scratch_.path() / "stripped.so").string();
  output_of("strip --strip-all -o '" + stripped + "' '" + GetParam().module + "'");
  EXPECT_EQ(manifest_note(stripped, scratch_), content_of(GetParam().manifest));
  const FakeHost host;
  EXPECT_EQ(LoadedModule(stripped, host).manifest(), content_of(GetParam().manifest));
}

TEST_P(BuiltModule, BindsEverythingAtOnceAndIsNeverUnmapped) {
  const std::string dynamic = output_of("readelf --dynamic --wide '" + GetParam().module + "'");
  EXPECT_NE(dynamic.find("NODELETE"), std::string::npos) << dynamic;
  EXPECT_NE(dynamic.find("NOW"), std::string::npos) << dynamic;
}

const std::string fixtures = "/tests/sdk/fixtures/";
const std::string build = tree::build_directory();
const std::string source = tree::source_directory();

INSTANTIATE_TEST_SUITE_P(Modules, BuiltModule,
                         ::testing::Values(ModuleFile{"sleep", build + "/lib/cloudai/modules/sleep.so",
                                                      source + "/modules/workloads/sleep/manifest.json"},
                                           ModuleFile{"bash_cmd", build + "/lib/cloudai/modules/bash_cmd.so",
                                                      source + "/modules/workloads/bash_cmd/manifest.json"},
                                           ModuleFile{"c99_workload", build + fixtures + "c99_workload.so",
                                                      source + fixtures + "c99_workload.json"},
                                           ModuleFile{"everything", build + fixtures + "everything.so",
                                                      source + fixtures + "everything.json"}),
                         [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace cloudai::testing
