// What a module answers to a call: collected within bounds, then judged.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cloudai/abi/base.h"
#include "core/support/json.hpp"
#include "core/support/result.hpp"

namespace cloudai::module {

// All that is known when a call has returned.
struct RawReply {
  cloudai_status status = CLOUDAI_INTERNAL;
  std::string text;
  bool is_too_large = false;          // `text` is cut
  std::optional<std::string> thrown;  // "an exception (…)" that left the call in place of a status
  bool changed_directory = false;     // the call left another working directory behind
};

// The sink of one call.
class ReplySink {
 public:
  ReplySink();
  ReplySink(const ReplySink&) = delete;
  ReplySink& operator=(const ReplySink&) = delete;

  const cloudai_sink* sink() const { return &sink_; }
  // Puts what was written into the reply.
  void take_into(RawReply& reply);

 private:
  static void write(void* context, cloudai_str chunk) noexcept;

  cloudai_sink sink_;
  std::string text_;
  bool is_too_large_ = false;
};

// The reply document of a call, or the module's error. `module` names it in messages ("module 'foo' 1.0.0"), `function`
// the call. What a module must not do, but does no harm, is a warning in the log.
Result<Json> judge(std::string_view module, std::string_view function, const RawReply& reply);

}  // namespace cloudai::module
