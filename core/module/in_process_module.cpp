#include "core/module/in_process_module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <boost/dll/shared_library.hpp>

#include <utility>
#include <vector>

#include "core/module/elf_symbols.hpp"
#include "core/module/guarded.hpp"
#include "core/module/preflight.hpp"
#include "core/module/reply.hpp"

namespace cloudai::module {
namespace {

// A shared_library unmaps what it loaded when it goes; these stay.
void keep_mapped(boost::dll::shared_library library) {
  static auto& kept = *new std::vector<boost::dll::shared_library>();
  kept.push_back(std::move(library));
}

// The entry's symbol ends in the ABI major. A module of another one is not even mapped: its constructors would run.
std::optional<std::string> other_abi(const std::filesystem::path& path) {
  static constexpr std::string_view ours = CLOUDAI_MODULE_ENTRY_SYMBOL;
  static constexpr std::string_view common = "cloudai_module_entry_v";
  const auto symbols = read_symbols(path);
  if (!symbols) return std::nullopt;
  std::optional<std::string> other;
  for (const std::string& symbol : symbols->exported) {
    if (symbol == ours) return std::nullopt;
    if (symbol.compare(0, common.size(), common) == 0) other = symbol.substr(common.size());
  }
  return other;
}

Result<const cloudai_module_entry*> map_entry(const std::string& label, const std::filesystem::path& path) {
  boost::dll::shared_library library;
  boost::dll::fs::error_code failed;
  const auto mode = boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local;
  library.load(boost::dll::fs::path(path.native()), failed, mode);  // an exception of a constructor ends us in dlopen
  if (failed) {
    const char* said = ::dlerror();
    return trouble(fmt::format("{} cannot be loaded: {}", label, said != nullptr ? said : failed.message()));
  }
  const cloudai_module_entry* entry = nullptr;
  if (library.has(CLOUDAI_MODULE_ENTRY_SYMBOL)) {
    entry = &library.get<const cloudai_module_entry>(CLOUDAI_MODULE_ENTRY_SYMBOL);
  }
  keep_mapped(std::move(library));
  if (entry != nullptr) return entry;
  return trouble(fmt::format("{} cannot be loaded: {} does not export {}. Build it with cloudai_add_module().", label,
                             path.string(), CLOUDAI_MODULE_ENTRY_SYMBOL));
}

// Sizes and versions first: nothing of an entry that is not ours may be called.
std::optional<std::string> problem_of_entry(const cloudai_module_entry& entry, const ModuleFile& file) {
  if (entry.struct_size < sizeof entry) {
    return fmt::format("its module entry has {} bytes, where {} are needed", entry.struct_size, sizeof entry);
  }
  if (entry.abi_major != CLOUDAI_ABI_MAJOR || entry.abi_minor_required > CLOUDAI_ABI_MINOR) {
    return fmt::format("it needs module ABI {}.{}; this cloudai offers {}.{}", entry.abi_major,
                       entry.abi_minor_required, CLOUDAI_ABI_MAJOR, CLOUDAI_ABI_MINOR);
  }
  const char* missing = entry.init == nullptr            ? "init"
                        : entry.deinit == nullptr        ? "deinit"
                        : entry.get_interface == nullptr ? "get_interface"
                                                         : nullptr;
  if (missing != nullptr) return fmt::format("its module entry has a null '{}'", missing);
  const std::string_view manifest =
      entry.manifest.data == nullptr ? std::string_view() : std::string_view(entry.manifest.data, entry.manifest.size);
  if (manifest != file.manifest_text) return "its module entry and its ELF note carry different manifests";
  return std::nullopt;
}

}  // namespace

std::string label_of(const ModuleFile& file) {
  return fmt::format("module '{}' {}", file.id, file.version);
}

Result<const cloudai_module_entry*> open_entry(const ModuleFile& file) {
  const std::string label = label_of(file);
  const auto now = preflight(file.path);
  if (!now) return trouble(fmt::format("{} cannot be loaded: {}", label, now.error().reason));
  if (now->manifest_text != file.manifest_text) {
    return trouble(
        fmt::format("{} cannot be loaded: {} was replaced while cloudai was running.", label, file.path.string()));
  }
  if (const auto major = other_abi(file.path)) {
    return trouble(
        fmt::format("{} cannot be loaded: {} is built for module ABI {}; this cloudai offers {}.{}. Build it "
                    "again with the SDK of this cloudai.",
                    label, file.path.string(), *major, CLOUDAI_ABI_MAJOR, CLOUDAI_ABI_MINOR));
  }
  const auto entry = map_entry(label, file.path);
  if (!entry) return tl::make_unexpected(entry.error());
  if (const auto problem = problem_of_entry(**entry, file)) {
    return trouble(fmt::format("{} cannot be loaded: {}. Build {} again.", label, *problem, file.path.string()));
  }
  return entry;
}

Result<std::shared_ptr<InProcessModule>> InProcessModule::load(const ModuleFile& file, const cloudai_host& host) {
  const auto entry = open_entry(file);
  if (!entry) return tl::make_unexpected(entry.error());
  const std::string label = label_of(file);
  ReplySink sink;
  RawReply reply;
  const auto thrown = guarded([&] { reply.status = (*entry)->init(&host, sink.sink()); });
  if (thrown) return trouble(fmt::format("{} threw {} out of init().", label, *thrown));
  sink.take_into(reply);
  if (reply.status != CLOUDAI_OK) return tl::make_unexpected(judge(label, "init", reply).error());
  return std::shared_ptr<InProcessModule>(new InProcessModule(label, *entry));
}

InProcessModule::InProcessModule(std::string label, const cloudai_module_entry* entry)
    : label_(std::move(label)), entry_(entry) {}

InProcessModule::~InProcessModule() {
  guarded([&] { entry_->deinit(); });
}

Result<const void*> InProcessModule::vtable(const InterfaceTable& table) const {
  const void* vtable = nullptr;
  const auto thrown = guarded([&] { vtable = entry_->get_interface({table.id.data(), table.id.size()}); });
  if (thrown) return trouble(fmt::format("{} threw {} out of get_interface().", label_, *thrown));
  if (const auto problem = problem_of_vtable(table, vtable)) return trouble(fmt::format("{} {}", label_, *problem));
  return vtable;
}

}  // namespace cloudai::module
