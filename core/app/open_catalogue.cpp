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

}  // namespace

module::Catalogue open_catalogue(const GlobalOptions& global) {
  const auto path = module::search_path(global.module_path, environment, ::geteuid() == 0, global.executable);
  for (const auto& note : path.notes) log::warn("{}", note);
  auto catalogue = module::Catalogue::scan(path.directories);
  for (const auto& file : catalogue.ignored()) {
    spdlog::log(file.is_broken ? spdlog::level::warn : spdlog::level::debug, "{}", file.reason);
  }
  for (const auto& conflict : catalogue.conflicts()) log::warn("{}", conflict);
  return catalogue;
}

}  // namespace cloudai::app
