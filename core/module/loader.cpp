#include <mutex>
#include <utility>

#include "core/module/child_transport.hpp"
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
  };
  // The same for a module in a child. A scheduler has one for each instance, which is its owner's alone: then this
  // keeps no transport.
  struct ChildAttempt {
    const ModuleFile* file;
    std::string interface_id;
    Result<std::shared_ptr<Transport>> transport;
  };

  const Catalogue& catalogue;
  Host& host;
  const IsolationPolicy isolation;
  mutable std::mutex mutex;
  std::vector<Attempt> attempts;
  std::vector<ChildAttempt> children;
  std::vector<LoadedModule> loaded;

  State(const Catalogue& modules, Host& services, IsolationPolicy policy)
      : catalogue(modules), host(services), isolation(std::move(policy)) {}

  void note(const ModuleFile& file, const std::string& sha256) {
    for (const LoadedModule& known : loaded) {
      if (known.path == file.path) return;
    }
    loaded.push_back({file.id, file.version, file.path, file.build_id, sha256});
  }

  Result<std::shared_ptr<InProcessModule>> load(const ModuleFile& file) {
    for (const auto& attempt : attempts) {
      if (attempt.file == &file) return attempt.module;
    }
    auto sha256 = files::sha256(file.path);
    auto module = sha256 ? InProcessModule::load(file, *host.for_module(file.id)) : tl::make_unexpected(sha256.error());
    if (module) note(file, *sha256);
    attempts.push_back({&file, std::move(module)});
    return attempts.back().module;
  }

  Result<std::shared_ptr<Transport>> start_child(const ModuleFile& file, std::string_view interface_id) {
    auto sha256 = files::sha256(file.path);
    if (!sha256) return tl::make_unexpected(std::move(sha256.error()));
    ChildTransportSettings settings;
    settings.child.executable = isolation.executable;
    auto transport = ChildProcessTransport::start(file, interface_id, host, std::move(settings));
    if (transport) note(file, *sha256);
    return transport;
  }

  Result<std::shared_ptr<Transport>> child(const ModuleFile& file, std::string_view interface_id) {
    for (const auto& attempt : children) {
      if (attempt.file == &file && attempt.interface_id == interface_id) return attempt.transport;
    }
    auto transport = start_child(file, interface_id);
    if (transport && interface_id == scheduler_interface) return transport;
    children.push_back({&file, std::string(interface_id), std::move(transport)});
    return children.back().transport;
  }

  Result<std::shared_ptr<Transport>> transport(std::string_view interface_id, std::string_view name) {
    const auto provider = catalogue.find(interface_id, name);
    if (!provider) return tl::make_unexpected(provider.error());
    const std::lock_guard lock(mutex);
    const ModuleFile& file = *provider->file;
    if (isolation_of(isolation, file, std::string(name)) == Isolation::process) return child(file, interface_id);
    auto module = load(file);
    if (!module) return tl::make_unexpected(std::move(module.error()));
    return InProcessTransport::make(std::move(*module), interface_id);
  }
};

Loader::Loader(const Catalogue& catalogue, Host& host, IsolationPolicy isolation)
    : state_(new State(catalogue, host, std::move(isolation))) {}

// The last module loaded is the first one to go.
Loader::~Loader() {
  while (!state_->children.empty()) state_->children.pop_back();
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
  return state_->loaded;
}

}  // namespace cloudai::module
