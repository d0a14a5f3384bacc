#include "core/app/filter.hpp"

#include <fnmatch.h>
#include <algorithm>
#include <set>

#include "core/support/log.hpp"
#include "core/support/nearest.hpp"

namespace cloudai::app {

namespace {

bool matches(const std::string& glob, const std::string& id) {
  return ::fnmatch(glob.c_str(), id.c_str(), 0) == 0;
}

Result<void> check_globs(const config::Scenario& scenario, const std::vector<std::string>& globs) {
  std::vector<std::string> ids;
  for (const config::Case& test_case : scenario.cases) ids.push_back(test_case.id);
  for (const std::string& glob : globs) {
    if (std::any_of(ids.begin(), ids.end(), [&](const std::string& id) { return matches(glob, id); })) continue;
    return usage_error("--filter '" + glob + "' matches no test of scenario '" + scenario.name + "'" +
                       did_you_mean(glob, ids));
  }
  return {};
}

}  // namespace

Result<void> filter_cases(config::Scenario& scenario, const std::vector<std::string>& globs) {
  if (globs.empty()) return {};
  if (auto checked = check_globs(scenario, globs); !checked) return checked;
  std::erase_if(scenario.cases, [&](const config::Case& test_case) {
    return std::none_of(globs.begin(), globs.end(), [&](const auto& glob) { return matches(glob, test_case.id); });
  });
  std::set<std::string> kept;
  for (const config::Case& test_case : scenario.cases) kept.insert(test_case.id);
  for (config::Case& test_case : scenario.cases) {
    std::erase_if(test_case.dependencies, [&](const config::Dependency& dependency) {
      if (kept.contains(dependency.id)) return false;
      const bool ends = dependency.type == config::DependencyType::end_post_comp;
      log::warn("Test {} depends on {}, which --filter leaves out: it {}.", test_case.id, dependency.id,
                ends ? "is not ended by it" : "is started without it");
      return true;
    });
  }
  return {};
}

}  // namespace cloudai::app
