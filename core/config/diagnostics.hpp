// The problems found in the user's files: all of them, in order, then shown at once.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/document.hpp"

namespace cloudai::config {

enum class Severity { error, warning };

// `code` of a problem that no edit of the file mends: the module that it names is not installed.
inline constexpr std::string_view module_missing = "module_missing";

struct Diagnostic {
  Severity severity = Severity::error;
  Position position;
  std::string message;  // what was found, what was expected, the nearest valid name
  std::string code;     // for programs; mostly empty
};

class Diagnostics {
 public:
  void error(Position position, std::string message, std::string_view code = {});
  void warning(Position position, std::string message);
  void add(Diagnostic diagnostic);

  // Nobody reads more than this many. What comes then is counted.
  static constexpr std::size_t most = 1000;
  bool is_full() const { return diagnostics_.size() >= most; }
  std::size_t left_out() const { return left_out_; }

  bool has_errors() const { return error_count_ > 0; }
  std::size_t error_count() const { return error_count_; }

  // File by file, in the order of each file's first problem; within a file from top to bottom. No two the same.
  const std::vector<Diagnostic>& all() const { return diagnostics_; }

 private:
  std::size_t rank_of(const Position& position);

  std::vector<Diagnostic> diagnostics_;
  std::map<std::string, std::size_t> files_;  // → order of first problem
  std::size_t error_count_ = 0;
  std::size_t left_out_ = 0;
};

// "conf/test/nccl.toml:7:1: error: unknown option 'ngpuz' …".
std::string to_string(const Diagnostic& diagnostic);

}  // namespace cloudai::config
