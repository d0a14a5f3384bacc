// Calls to a module in this process.
#pragma once

#include <memory>

#include "core/module/in_process_module.hpp"
#include "core/module/transport.hpp"

namespace cloudai::module {

// One interface of one module; for a scheduler, also the instance that "open" made. The instance is closed with the
// transport.
class InProcessTransport final : public Transport {
 public:
  static Result<std::shared_ptr<Transport>> make(std::shared_ptr<const InProcessModule> module,
                                                 std::string_view interface_id);
  ~InProcessTransport() override;
  InProcessTransport(const InProcessTransport&) = delete;
  InProcessTransport& operator=(const InProcessTransport&) = delete;

  Result<Json> call(std::string_view function, const Json& request) override;

 private:
  InProcessTransport(std::shared_ptr<const InProcessModule> module, const InterfaceTable& table, const void* vtable);

  std::shared_ptr<const InProcessModule> module_;
  const InterfaceTable& table_;
  const void* vtable_;
  void* instance_ = nullptr;
  bool is_open_ = false;
};

}  // namespace cloudai::module
