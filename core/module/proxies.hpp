// Modules as the rest of the core calls them: one class an interface, one method a call, JSON documents in and out.
//
// The document of each call is described in docs/documents.md. All calls block and come one at a time
// (core/run/call_queue.hpp), never on the event loop.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/module/catalogue.hpp"
#include "core/module/host.hpp"
#include "core/module/transport.hpp"

namespace cloudai::module {

class Workload {
 public:
  Workload(std::shared_ptr<Transport> transport, std::string name);
  // Each adds "provider" to the request, and refuses a reply whose "schema" is not the expected one.
  Result<Json> requirements(Json test) const;
  Result<Json> plan(Json run) const;
  Result<Json> evaluate(Json stage) const;

 private:
  std::shared_ptr<Transport> transport_;
  std::string name_;
};

// An opened scheduler; closed by the destructor.
class Scheduler {
 public:
  // Opens it through `transport`, which then belongs to it alone. `request` is a cloudai.scheduler.open/1 without
  // "provider".
  static Result<std::shared_ptr<Scheduler>> open(std::shared_ptr<Transport> transport, std::string name, Json request);
  Scheduler(std::shared_ptr<Transport> transport, std::string name, Json facts);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  const Json& facts() const { return facts_; }  // cloudai.facts/1, the reply of open
  Result<Json> provision(const Json& request);
  Result<Json> allocate(const Json& request);
  Result<Json> render(const Json& job);
  Result<Json> submit(const Json& request);
  Result<Json> poll(const std::vector<std::string>& ids);
  Result<Json> cancel(const std::vector<std::string>& ids);
  // Of the main stages alone; only of a scheduler with the capability "end_main".
  Result<Json> end_main(const std::vector<std::string>& ids);
  Result<Json> collect(const std::string& id);
  Result<Json> find(const Json& request);

 private:
  std::shared_ptr<Transport> transport_;
  std::string name_;
  Json facts_;
};

class Reporter {
 public:
  Reporter(std::shared_ptr<Transport> transport, std::string name);
  Result<Json> write(Json request) const;

 private:
  std::shared_ptr<Transport> transport_;
  std::string name_;
};

// What was loaded, for the summary.
struct LoadedModule {
  std::string id;
  std::string version;
  std::filesystem::path path;
  std::string sha256;
};

// Loads modules on first use and hands out proxies. Each file is loaded once and never unmapped.
class Loader {
 public:
  Loader(const Catalogue& catalogue, Host& host);
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  Result<std::shared_ptr<Workload>> workload(std::string_view name);
  // What may stand between the core and a scheduler.
  using Wrap = std::function<std::shared_ptr<Transport>(std::shared_ptr<Transport>)>;
  // `request` is a cloudai.scheduler.open/1 without "provider". Without `wrap` the scheduler is called directly.
  Result<std::shared_ptr<Scheduler>> open_scheduler(std::string_view name, Json request, const Wrap& wrap = nullptr);
  Result<std::shared_ptr<Reporter>> reporter(std::string_view name);

  std::vector<LoadedModule> loaded() const;  // in the order of loading

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cloudai::module
