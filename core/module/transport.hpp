// How a call reaches a module. The seam between the proxies and where a module runs: in this process, or in a child.
#pragma once

#include <string_view>

#include "core/support/json.hpp"
#include "core/support/result.hpp"

namespace cloudai::module {

class Transport {
 public:
  virtual ~Transport() = default;

  // Calls `function` (a member of the interface's vtable, by its name) with `request`; the reply document, or the
  // module's error as an Error that names the module. Blocks; not for the event loop.
  virtual Result<Json> call(std::string_view function, const Json& request) = 0;
};

}  // namespace cloudai::module
