#include "core/app/module_isolation.hpp"

#include <cstdlib>
#include <utility>

#include "core/module/search_path.hpp"

namespace cloudai::app {

module::IsolationPolicy module_isolation(const GlobalOptions& global,
                                         std::map<std::string, module::Isolation> by_name) {
  module::IsolationPolicy policy;
  policy.built_in = module::built_in_directory(global.executable);
  policy.by_name = std::move(by_name);
  if (const char* all = std::getenv("CLOUDAI_MODULE_ISOLATION")) policy.all = module::isolation_named(all);
  return policy;
}

}  // namespace cloudai::app
