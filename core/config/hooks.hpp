// Finding hook scenarios by their names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/path_expansion.hpp"
#include "core/config/scenario_reader.hpp"

namespace cloudai::config {

// Where hooks are looked for, first match wins: `option` (--hook-dir), CLOUDAI_HOOK_DIR, hook/ beside and in the
// scenario's folder, and conf/hook in the working directory. None twice.
std::vector<std::filesystem::path> hook_places(const std::optional<std::filesystem::path>& option,
                                               const std::filesystem::path& scenario, const Environment& environment);

struct HookFile {
  std::filesystem::path path;
  std::string name;
  Node root;
};

// The hook files of some places, read when a hook is first looked for.
class HookFinder {
 public:
  explicit HookFinder(std::vector<std::filesystem::path> places) : places_(std::move(places)) {}

  // The file whose "name" is that of the reference. Null, and an error that lists the places, if there is none; `role`
  // is what the scenario calls it ("prologue"). A name that two files of the place have is an error that names both.
  const HookFile* find(const HookReference& reference, std::string_view role, Diagnostics& diagnostics);

 private:
  struct Place {
    std::filesystem::path path;
    bool exists = false;
    std::vector<HookFile> files;
    std::vector<std::filesystem::path> unreadable;
  };

  void read_places(Diagnostics& diagnostics);
  void report_missing(const HookReference& reference, std::string_view role, Diagnostics& diagnostics) const;

  std::vector<std::filesystem::path> places_;
  std::optional<std::vector<Place>> read_;
};

}  // namespace cloudai::config
