// The checks of `cloudai modules verify`, in their order. Each is run in a process of its own, since what it looks at
// may crash, hang or end the process.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/conformance/findings.hpp"

namespace cloudai::conformance {

struct Context {
  std::filesystem::path file;       // the module
  std::filesystem::path directory;  // empty, the check's own
  // Says what is about to be done ("plan() with an empty request"), for the case that it never comes back.
  std::function<void(const std::string&)> now;
};

struct Check {
  std::string_view name;
  std::string_view description;
  std::chrono::seconds limit;
  std::vector<std::string_view> needs;  // names of earlier checks without which it says nothing
  void (*run)(const Context&, Findings&);
};

std::span<const Check> checks();
const Check* find_check(std::string_view name);

void check_file(const Context& context, Findings& findings);
void check_elf(const Context& context, Findings& findings);
void check_manifest(const Context& context, Findings& findings);
void check_abi(const Context& context, Findings& findings);
void check_load(const Context& context, Findings& findings);
void check_documents(const Context& context, Findings& findings);
void check_workload(const Context& context, Findings& findings);
void check_scheduler(const Context& context, Findings& findings);
void check_reporter(const Context& context, Findings& findings);
void check_process(const Context& context, Findings& findings);

}  // namespace cloudai::conformance
