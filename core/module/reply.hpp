// What a module answers to a call: collected within bounds, then judged.
#pragma once

#include <string>
#include <string_view>

#include "cloudai/abi/base.h"
#include "core/support/json.hpp"
#include "core/support/result.hpp"

namespace cloudai::module {

// The sink of one call.
class ReplySink {
 public:
  ReplySink();
  ReplySink(const ReplySink&) = delete;
  ReplySink& operator=(const ReplySink&) = delete;

  const cloudai_sink* sink() const { return &sink_; }
  const std::string& text() const { return text_; }
  bool is_too_large() const { return is_too_large_; }

 private:
  static void write(void* context, cloudai_str chunk) noexcept;

  cloudai_sink sink_;
  std::string text_;
  bool is_too_large_ = false;
};

// The reply document of a call that returned `status`, or the module's error. `module` names it in messages ("module
// 'foo' 1.0.0"), `function` the call.
Result<Json> judge(std::string_view module, std::string_view function, cloudai_status status, const ReplySink& reply);

}  // namespace cloudai::module
