// Write a reporter: derive from Reporter and export the class (cloudai/module.hpp).
#pragma once

#include "cloudai/documents/reporter.hpp"
#include "cloudai/error.hpp"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

// Writes results down in one format. An object lives for one call, and calls may come from several threads at once.
class Reporter {
 public:
  virtual ~Reporter() = default;

  // Reads summary.json and the outcome.json files it names from the results directories of the request; writes only
  // inside the request's directory.
  virtual ReportFiles write(const ReportRequest& request) const = 0;
};

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
