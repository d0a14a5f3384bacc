// The calls of one interface of a module in this process; for a scheduler, also the instance that "open" made.
#pragma once

#include <memory>
#include <string_view>

#include "core/module/in_process_module.hpp"
#include "core/module/reply.hpp"

namespace cloudai::module {

// The instance is closed with it.
class InterfaceCalls {
 public:
  static Result<std::unique_ptr<InterfaceCalls>> make(std::shared_ptr<const InProcessModule> module,
                                                      std::string_view interface_id);
  ~InterfaceCalls();
  InterfaceCalls(const InterfaceCalls&) = delete;
  InterfaceCalls& operator=(const InterfaceCalls&) = delete;

  const InProcessModule& module() const { return *module_; }

  // Makes the call, whatever it does. One that the interface does not have, or not at the moment, fails.
  RawReply call(std::string_view function, std::string_view request);

 private:
  InterfaceCalls(std::shared_ptr<const InProcessModule> module, const InterfaceTable& table, const void* vtable);

  std::shared_ptr<const InProcessModule> module_;
  const InterfaceTable& table_;
  const void* vtable_;
  void* instance_ = nullptr;
  bool is_open_ = false;
};

}  // namespace cloudai::module
