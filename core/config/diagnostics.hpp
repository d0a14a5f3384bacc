// The problems found in the user's files: all of them, in order, then shown at once.
#pragma once

#include <string>
#include <vector>

#include "core/config/document.hpp"

namespace cloudai::config {

enum class Severity { error, warning };

struct Diagnostic {
  Severity severity = Severity::error;
  Position position;
  std::string message;  // what was found, what was expected, the nearest valid name
};

class Diagnostics {
 public:
  void error(Position position, std::string message);
  void warning(Position position, std::string message);

  bool has_errors() const;
  std::size_t error_count() const;
  const std::vector<Diagnostic>& all() const { return diagnostics_; }  // no two the same

 private:
  std::vector<Diagnostic> diagnostics_;
};

// "conf/test/nccl.toml:7:1: error: unknown option 'ngpuz' …".
std::string to_string(const Diagnostic& diagnostic);

}  // namespace cloudai::config
