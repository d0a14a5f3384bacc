// A module in this process: mapped, checked, initialised. The only place that loads a shared object.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cloudai/abi/module.h"
#include "core/module/catalogue.hpp"
#include "core/module/interface_table.hpp"
#include "core/support/result.hpp"

namespace cloudai::module {

// "module 'org.example.my_test' 1.2.0", as messages name it.
std::string label_of(const ModuleFile& file);

// Maps the file and checks its entry, sizes and versions first; nothing of the module has been called but what its
// constructors did. Looks at the file once more, since the scan may be long ago. A mapped module is never unmapped: its
// code may be on the stack of a thread, its destructors registered.
Result<const cloudai_module_entry*> open_entry(const ModuleFile& file);

// Between a successful init and deinit. Whoever may still call the module shares ownership, so deinit comes after the
// last call.
class InProcessModule {
 public:
  // `host` lives as long as the module.
  static Result<std::shared_ptr<InProcessModule>> load(const ModuleFile& file, const cloudai_host& host);
  ~InProcessModule();
  InProcessModule(const InProcessModule&) = delete;
  InProcessModule& operator=(const InProcessModule&) = delete;

  const std::string& label() const { return label_; }

  // The checked vtable of an interface.
  Result<const void*> vtable(const InterfaceTable& table) const;

 private:
  InProcessModule(std::string label, const cloudai_module_entry* entry);

  std::string label_;
  const cloudai_module_entry* entry_;
};

}  // namespace cloudai::module
