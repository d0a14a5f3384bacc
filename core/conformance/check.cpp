#include "core/conformance/check.hpp"

#include <algorithm>

namespace cloudai::conformance {

std::span<const Check> checks() {
  using std::chrono::seconds;
  // The limits are for machines that are slow and busy: they end what hangs, and measure nothing.
  static const std::vector<Check> all = {
      {"file", "it can be read, is complete, and is of this machine", seconds(30), {}, &check_file},
      {"elf",
       "one exported symbol, none unique, none undefined, every needed version here",
       seconds(60),
       {"file"},
       &check_elf},
      {"manifest", "schema, names, defaults, descriptions", seconds(60), {"file"}, &check_manifest},
      {"abi", "sizes, versions, members, interfaces", seconds(60), {"file", "manifest"}, &check_abi},
      {"load", "init and deinit, and nothing on stdout", seconds(60), {"abi"}, &check_load},
      {"documents", "requests that are none: a status and a message", seconds(300), {"load"}, &check_documents},
      {"workload",
       "plans are valid and pure, output may be missing or garbage",
       seconds(300),
       {"load"},
       &check_workload},
      {"scheduler", "rendering is pure, commands may fail or hang", seconds(300), {"load"}, &check_scheduler},
      {"reporter", "no run, one run, 10000 runs, inside its directory", seconds(600), {"load"}, &check_reporter},
      {"process", "the process is left as it was, and does not grow", seconds(600), {"load"}, &check_process},
  };
  return all;
}

const Check* find_check(std::string_view name) {
  const auto all = checks();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Check& check) { return check.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace cloudai::conformance
