// Any bytes, read as a file of either format and then as each kind of file, with the schema checks: they may be
// refused, and nothing else.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "core/config/config_file.hpp"
#include "core/config/scenario_reader.hpp"
#include "core/config/system.hpp"
#include "core/config/test.hpp"
#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

const module::Catalogue& modules() {
  static const module::Catalogue catalogue = fixture::modules();
  return catalogue;
}

// A problem that cannot be told would be one more.
void tell(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (to_string(diagnostic).empty()) std::abort();
  }
}

void read_as_every_kind(const Node& root, const std::string& file) {
  static Workloads workloads(modules());
  const Environment environment = [](const std::string&) { return std::nullopt; };
  Diagnostics diagnostics;
  const SystemReading system = read_system(root, file, modules(), environment, diagnostics);
  read_test(read_test_keys(root, diagnostics), workloads, diagnostics);
  const ScenarioContext context{workloads, {}, system.scheduler, modules()};
  read_scenario(root, file, context, diagnostics);
  read_hook_scenario(root, file, context, diagnostics);
  tell(diagnostics);
}

void read(std::string_view content, const std::string& file) {
  Diagnostics diagnostics;
  const std::optional<Node> root = parse_config(content, file, diagnostics);
  tell(diagnostics);
  if (root.has_value() == diagnostics.has_errors()) std::abort();
  if (root) read_as_every_kind(*root, file);
}

}  // namespace
}  // namespace cloudai::config

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  cloudai::config::read(content, "f.toml");
  cloudai::config::read(content, "f.yaml");
  return 0;
}
