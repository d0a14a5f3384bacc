// Calls into a module must not throw. Where one does all the same and the exception can be caught, it becomes a
// sentence; with some toolchains it ends the process, so this is a courtesy and no safety net.
#pragma once

#include <exception>
#include <optional>
#include <string>

namespace cloudai::module {

// Runs `call`; what it threw, if it did.
template <class Call>
std::optional<std::string> guarded(Call&& call) {
  try {
    call();
    return std::nullopt;
  } catch (const std::exception& error) {
    return "an exception (" + std::string(error.what()) + ")";
  } catch (...) {
    return "an exception";
  }
}

}  // namespace cloudai::module
