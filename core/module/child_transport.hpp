// Calls to a module in a child process of its own: whatever the module does to its process, here it becomes an error.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>

#include "core/module/child_process.hpp"
#include "core/module/transport.hpp"

namespace cloudai::module {

struct ChildTransportSettings {
  ChildSettings child;
  std::function<std::chrono::milliseconds(std::string_view function)> call_limit;  // empty: those of call_limits.hpp
  int restarts = 3;  // how often a child that has ended is followed by another
};

// One interface of one module; for a scheduler, also the instance that "open" made, which is closed with the transport.
//
// Calls on it from several threads come one after the other, but for `evaluate` of a workload, which takes long and has
// a child of its own: so it is clear which call a crash was in. A child that has ended is replaced at the next call;
// the instance of a scheduler is then opened once more, with the same request, and what it kept in memory is lost.
class ChildProcessTransport final : public Transport {
 public:
  // Starts the child and loads the module. `host` outlives the transport, which keeps what it needs of `file`.
  static Result<std::shared_ptr<Transport>> start(const ModuleFile& file, std::string_view interface_id, Host& host,
                                                  ChildTransportSettings settings = {});
  ~ChildProcessTransport() override;
  ChildProcessTransport(const ChildProcessTransport&) = delete;
  ChildProcessTransport& operator=(const ChildProcessTransport&) = delete;

  // The error's kind is module_crashed if the child ended in this call, and module_gone if there is none any more.
  Result<Json> call(std::string_view function, const Json& request) override;

 private:
  struct State;
  explicit ChildProcessTransport(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace cloudai::module
