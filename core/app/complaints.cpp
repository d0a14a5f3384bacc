#include "core/app/complaints.hpp"

#include "core/app/commands.hpp"
#include "core/support/log.hpp"

namespace cloudai::app {

int fail(const Error& error) {
  log::error("{}{}{}", error.message, error.hint.empty() ? "" : " ", error.hint);
  return error.kind == ErrorKind::usage ? usage : trouble;
}

void say(const config::Diagnostics& diagnostics) {
  for (const config::Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity == config::Severity::error) {
      log::error("{}", to_string(diagnostic));
    } else {
      log::warn("{}", to_string(diagnostic));
    }
  }
  if (diagnostics.left_out() > 0) log::error("There are more problems than these {}.", diagnostics.all().size());
}

}  // namespace cloudai::app
