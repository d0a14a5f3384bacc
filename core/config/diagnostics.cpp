#include "core/config/diagnostics.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace cloudai::config {

void Diagnostics::error(Position position, std::string message, std::string_view code) {
  add({Severity::error, std::move(position), std::move(message), std::string(code)});
}

void Diagnostics::warning(Position position, std::string message) {
  add({Severity::warning, std::move(position), std::move(message), {}});
}

std::size_t Diagnostics::rank_of(const Position& position) {
  return files_.try_emplace(position.file ? *position.file : std::string(), files_.size()).first->second;
}

void Diagnostics::add(Diagnostic diagnostic) {
  const auto place = [this](const Diagnostic& d) {
    return std::tuple(rank_of(d.position), d.position.line, d.position.column);
  };
  const auto own_place = place(diagnostic);
  const auto first = std::partition_point(diagnostics_.begin(), diagnostics_.end(),
                                          [&](const Diagnostic& d) { return place(d) < own_place; });
  const auto last =
      std::partition_point(first, diagnostics_.end(), [&](const Diagnostic& d) { return place(d) == own_place; });
  const auto is_same = [&](const Diagnostic& d) {
    return d.severity == diagnostic.severity && d.message == diagnostic.message;
  };
  if (std::any_of(first, last, is_same)) return;
  if (diagnostic.severity == Severity::error) ++error_count_;
  if (is_full()) {
    ++left_out_;
    return;
  }
  diagnostics_.insert(last, std::move(diagnostic));
}

std::string to_string(const Diagnostic& diagnostic) {
  const std::string place = to_string(diagnostic.position);
  const char* severity = diagnostic.severity == Severity::error ? "error: " : "warning: ";
  return (place.empty() ? "" : place + ": ") + severity + diagnostic.message;
}

}  // namespace cloudai::config
