#include "core/config/hooks.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/config/config_file.hpp"
#include "core/config/test.hpp"
#include "core/support/nearest.hpp"

namespace cloudai::config {

std::vector<std::filesystem::path> hook_places(const std::optional<std::filesystem::path>& option,
                                               const std::filesystem::path& scenario, const Environment& environment) {
  std::vector<std::filesystem::path> places;
  std::vector<std::filesystem::path> resolved;
  const auto add = [&](const std::filesystem::path& place) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::weakly_canonical(place, error);
    if (std::find(resolved.begin(), resolved.end(), real) != resolved.end()) return;
    resolved.push_back(real);
    places.push_back(place.lexically_normal());
  };
  if (option) add(*option);
  if (const auto variable = environment("CLOUDAI_HOOK_DIR"); variable && !variable->empty()) add(*variable);
  add(scenario.parent_path() / ".." / "hook");
  add(scenario.parent_path() / "hook");
  add("conf/hook");
  return places;
}

void HookFinder::read_places(Diagnostics& diagnostics) {
  read_.emplace();
  for (const std::filesystem::path& path : places_) {
    std::error_code error;
    Place place{path, std::filesystem::is_directory(path, error), {}, {}};
    for (const std::filesystem::path& file : config_files(path)) {
      Diagnostics problems;
      std::optional<Node> root = read_config_file(file, problems);
      for (const Diagnostic& problem : problems.all()) {
        diagnostics.warning(problem.position, problem.message + " (A hook file that cannot be read is passed over.)");
      }
      if (!root) {
        place.unreadable.push_back(file);
        continue;
      }
      std::string name = text_of(*root, "name");
      place.files.push_back({file, std::move(name), std::move(*root)});
    }
    read_->push_back(std::move(place));
  }
}

void HookFinder::report_missing(const HookReference& reference, std::string_view role, Diagnostics& diagnostics) const {
  std::string searched;
  std::vector<std::string> names;
  for (const Place& place : *read_) {
    searched += (searched.empty() ? "" : ", ") + place.path.string() + (place.exists ? "" : " (not there)");
    for (const std::filesystem::path& file : place.unreadable)
      searched += ", without " + file.filename().string() + " (which has errors)";
    for (const HookFile& file : place.files) names.push_back(file.name);
  }
  const std::string advice = did_you_mean(reference.name, names);
  diagnostics.error(reference.position, std::string(role) + " '" + reference.name +
                                            "': no hook scenario has this name" + (advice.empty() ? "." : advice) +
                                            " Searched: " + searched + ".");
}

const HookFile* HookFinder::find(const HookReference& reference, std::string_view role, Diagnostics& diagnostics) {
  if (!read_) read_places(diagnostics);
  for (const Place& place : *read_) {
    const HookFile* found = nullptr;
    for (const HookFile& file : place.files) {
      if (file.name != reference.name) continue;
      if (found != nullptr) {
        diagnostics.error(reference.position, std::string(role) + " '" + reference.name +
                                                  "': two hook scenarios have this name, " + found->path.string() +
                                                  " and " + file.path.string() + ". Rename or remove one.");
        return nullptr;
      }
      found = &file;
    }
    if (found != nullptr) return found;
  }
  report_missing(reference, role, diagnostics);
  return nullptr;
}

}  // namespace cloudai::config
