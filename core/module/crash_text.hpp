// The end of a child process as a sentence for the person at the terminal.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "core/module/call_slot.hpp"
#include "core/support/json.hpp"
#include "core/support/result.hpp"

namespace cloudai::module {

// Where a call was: "in evaluate() of prologue check of run all_reduce/0", as far as its request tells.
std::string place_of_call(std::string_view function, const Json& request);

// "module 'foo' 1.0.0 crashed (SIGSEGV) in evaluate() of run all_reduce/0." `module` and `place` are the words around
// it; `limit` is that of the call. The error's kind is module_crashed.
Error crash_error(const std::string& module, const std::string& place, const ChildEnd& end,
                  std::chrono::milliseconds limit);

}  // namespace cloudai::module
