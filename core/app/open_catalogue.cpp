#include "core/app/open_catalogue.hpp"

#include <unistd.h>

#include <cstdlib>

#include "core/module/search_path.hpp"
#include "core/support/log.hpp"

namespace cloudai::app {
namespace {

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

log::Level level_of(module::Ignored why) {
  switch (why) {
    case module::Ignored::broken:
      return log::Level::err;
    case module::Ignored::hidden:
      return log::Level::info;
    case module::Ignored::no_module:
    case module::Ignored::same_file:
      return log::Level::debug;
  }
  return log::Level::err;
}

}  // namespace

std::optional<module::Catalogue> open_catalogue(const GlobalOptions& global) {
  const auto path = module::search_path(global.module_path, environment, ::geteuid() == 0, global.executable);
  for (const auto& note : path.notes) log::warn("{}", note);
  auto catalogue = module::Catalogue::scan(path.directories);
  for (const auto& file : catalogue.ignored()) {
    spdlog::log(global.strict_modules ? log::Level::err : level_of(file.why), "{}", file.reason);
  }
  for (const auto& conflict : catalogue.conflicts()) {
    spdlog::log(global.strict_modules ? log::Level::err : log::Level::warn, "{}", conflict);
  }
  const bool is_clean = catalogue.ignored().empty() && catalogue.conflicts().empty();
  if (is_clean || !global.strict_modules) return catalogue;
  log::error("Nothing was done, since --strict-modules takes no file on the module path that is not used.");
  return std::nullopt;
}

}  // namespace cloudai::app
