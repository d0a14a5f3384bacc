// Which modules there are, from their ELF notes alone: no module code runs here.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/support/json.hpp"
#include "core/support/result.hpp"

namespace cloudai::module {

inline constexpr std::string_view workload_interface = "cloudai.workload/1";
inline constexpr std::string_view scheduler_interface = "cloudai.scheduler/1";
inline constexpr std::string_view reporter_interface = "cloudai.reporter/1";

// "workload", "scheduler" or "reporter" for one of the ids above, for messages.
std::string_view kind_of(std::string_view interface_id);

// One thing a module provides, e.g. the workload NcclTest. Entries of the manifest's "provides".
struct Provided {
  std::string interface_id;
  std::string name;
  Json config_schema;                     // JSON Schema of its options; an object schema
  std::vector<std::string> capabilities;  // schedulers: what they can
  std::vector<std::string> needs;         // workloads: what they need a scheduler to be able to
  Json manifest_entry;                    // the entry as it stands in the manifest
};

struct ModuleFile {
  std::filesystem::path path;
  std::filesystem::path directory;  // the search directory it was found in
  std::string id;
  std::string version;
  Json manifest;
  std::string manifest_text;  // as it stands in the note
  std::string build_id;       // hexadecimal, or empty
  std::vector<Provided> provides;
};

// Why a file on the search path is not used.
enum class Ignored {
  broken,
  no_module,  // it has no manifest
  hidden,     // an earlier directory provides the same
  same_file,  // it is already known under another name
};

struct IgnoredFile {
  std::filesystem::path path;
  std::string reason;  // a complete sentence that names the path
  Ignored why = Ignored::broken;
  std::string hidden = {};  // what of it is hidden: "workload 'NcclTest'"
  std::filesystem::path hidden_by = {};
};

struct ProviderRef {
  const ModuleFile* file = nullptr;
  const Provided* provided = nullptr;
};

class Catalogue {
 public:
  // Looks at every *.so in `directories`, first match wins. Never fails: what cannot be used is in ignored(), two
  // providers of one name in one directory are in conflicts(). A directory that does not exist is passed over.
  static Catalogue scan(const std::vector<std::filesystem::path>& directories);

  // Of manifests that are already read, as if their files stood in one directory: for tests.
  static Catalogue of(std::vector<ModuleFile> files);

  // The provider of (interface, name). Otherwise the sentence for the user: unknown name with the nearest one, a
  // conflict, or the broken file that may have been meant.
  Result<ProviderRef> find(std::string_view interface_id, std::string_view name) const;

  std::vector<std::string> names(std::string_view interface_id) const;  // sorted
  const std::vector<ModuleFile>& files() const { return files_; }       // those in use, in search order
  const std::vector<IgnoredFile>& ignored() const { return ignored_; }
  const std::vector<std::string>& conflicts() const { return conflicts_; }

 private:
  using Key = std::pair<std::string, std::string>;  // interface, name

  void add_directory(const std::filesystem::path& directory);
  void add_files(const std::filesystem::path& directory, std::vector<ModuleFile> found);
  Error unknown(std::string_view interface_id, std::string_view name) const;

  std::vector<ModuleFile> files_;
  std::vector<IgnoredFile> ignored_;
  std::vector<std::string> conflicts_;
  std::map<Key, std::filesystem::path> taken_;      // who provides it
  std::map<Key, std::string> conflict_of_;          // what cannot be decided, and the sentence that says so
  std::set<std::filesystem::path> seen_;            // directories and files, resolved
  std::vector<std::filesystem::path> directories_;  // those that exist
};

}  // namespace cloudai::module
