#include <mutex>
#include <utility>

#include "core/module/in_process_module.hpp"
#include "core/module/in_process_transport.hpp"
#include "core/module/proxies.hpp"
#include "core/support/files.hpp"

namespace cloudai::module {

struct Loader::State {
  // A module that could not be loaded is not tried again: its init is called once.
  struct Attempt {
    const ModuleFile* file;
    Result<std::shared_ptr<InProcessModule>> module;
    std::string sha256;
  };

  const Catalogue& catalogue;
  Host& host;
  mutable std::mutex mutex;
  std::vector<Attempt> attempts;

  Result<std::shared_ptr<InProcessModule>> load(const ModuleFile& file) {
    const std::lock_guard lock(mutex);
    for (const auto& attempt : attempts) {
      if (attempt.file == &file) return attempt.module;
    }
    auto sha256 = files::sha256(file.path);
    auto module = sha256 ? InProcessModule::load(file, host) : tl::make_unexpected(sha256.error());
    attempts.push_back({&file, std::move(module), sha256.value_or("")});
    return attempts.back().module;
  }

  Result<std::shared_ptr<Transport>> transport(std::string_view interface_id, std::string_view name) {
    const auto provider = catalogue.find(interface_id, name);
    if (!provider) return tl::make_unexpected(provider.error());
    auto module = load(*provider->file);
    if (!module) return tl::make_unexpected(std::move(module.error()));
    return InProcessTransport::make(std::move(*module), interface_id);
  }
};

Loader::Loader(const Catalogue& catalogue, Host& host) : state_(new State{catalogue, host, {}, {}}) {}

// The last module loaded is the first one to go.
Loader::~Loader() {
  while (!state_->attempts.empty()) state_->attempts.pop_back();
}

Result<std::shared_ptr<Workload>> Loader::workload(std::string_view name) {
  auto transport = state_->transport(workload_interface, name);
  if (!transport) return tl::make_unexpected(std::move(transport.error()));
  return std::make_shared<Workload>(std::move(*transport), std::string(name));
}

Result<std::shared_ptr<Scheduler>> Loader::open_scheduler(std::string_view name, Json request, const Wrap& wrap) {
  auto transport = state_->transport(scheduler_interface, name);
  if (!transport) return tl::make_unexpected(std::move(transport.error()));
  if (wrap) *transport = wrap(std::move(*transport));
  return Scheduler::open(std::move(*transport), std::string(name), std::move(request));
}

Result<std::shared_ptr<Reporter>> Loader::reporter(std::string_view name) {
  auto transport = state_->transport(reporter_interface, name);
  if (!transport) return tl::make_unexpected(std::move(transport.error()));
  return std::make_shared<Reporter>(std::move(*transport), std::string(name));
}

std::vector<LoadedModule> Loader::loaded() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<LoadedModule> result;
  for (const auto& attempt : state_->attempts) {
    if (attempt.module) result.push_back({attempt.file->id, attempt.file->version, attempt.file->path, attempt.sha256});
  }
  return result;
}

}  // namespace cloudai::module
