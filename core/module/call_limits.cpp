#include "core/module/call_limits.hpp"

namespace cloudai::module {

using std::chrono::hours;
using std::chrono::minutes;

std::chrono::milliseconds call_limit(std::string_view function) {
  // Pure functions of a document.
  if (function == "requirements" || function == "plan" || function == "render") return minutes(1);
  // Reads or writes files that may be large, on file systems that may be slow.
  if (function == "evaluate" || function == "write") return minutes(10);
  // Images and models are loaded from far away.
  if (function == "provision") return hours(24);
  // Commands of a cluster, each with a time limit of its own.
  return minutes(5);
}

}  // namespace cloudai::module
