// Calls to a module in this process.
#pragma once

#include <memory>

#include "core/module/interface_calls.hpp"
#include "core/module/transport.hpp"

namespace cloudai::module {

// One interface of one module; for a scheduler, also the instance that "open" made. The instance is closed with the
// transport.
class InProcessTransport final : public Transport {
 public:
  static Result<std::shared_ptr<Transport>> make(std::shared_ptr<const InProcessModule> module,
                                                 std::string_view interface_id);

  Result<Json> call(std::string_view function, const Json& request) override;

 private:
  explicit InProcessTransport(std::unique_ptr<InterfaceCalls> calls) : calls_(std::move(calls)) {}

  std::unique_ptr<InterfaceCalls> calls_;
};

}  // namespace cloudai::module
