#include "core/conformance/check.hpp"
#include "core/module/preflight.hpp"

namespace cloudai::conformance {

void check_file(const Context& context, Findings& findings) {
  const auto file = module::preflight_file(context.file);
  if (!file) findings.fault(file.error().reason);
}

}  // namespace cloudai::conformance
