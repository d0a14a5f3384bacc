// What every reporter can do with a request.
#pragma once

#include <string>

#include "cloudai/documents/reporter.hpp"

namespace cloudai::results {

// The one results directory a request of kind "scenario" names; every other request is Error(unsupported).
inline const std::string& only_results(const ReportRequest& request) {
  if (request.kind != "scenario") {
    throw Error(Status::unsupported,
                "The reporter '" + request.provider + "' writes reports of the kind 'scenario'; asked for '" +
                    request.kind + "'.",
                {}, "/kind");
  }
  if (request.results.size() != 1) {
    throw Error(Status::unsupported,
                "A report of a scenario is about one results directory; the request names " +
                    std::to_string(request.results.size()) + ".",
                {}, "/results");
  }
  return request.results.front().directory;
}

}  // namespace cloudai::results
