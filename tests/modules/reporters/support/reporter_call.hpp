// Calls of a built reporter module.
#pragma once

#include <filesystem>
#include <string>

#include "tests/paths.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai::testing {

// A request for the report of the results in `directory`, into that directory.
inline Json report_request(const std::string& reporter, const std::filesystem::path& directory) {
  Json request = {{"schema", "cloudai.report_request/1"}, {"provider", reporter}, {"kind", "scenario"}};
  request["results"] = Json::array({{{"directory", directory.string()}}});
  request["options"] = Json::object();
  request["directory"] = directory.string();
  return request;
}

inline Reply send_report_request(const std::string& reporter, const Json& request, const FakeHost& host) {
  const LoadedModule module(tree::build_directory() + "/lib/cloudai/modules/" + reporter + ".so", host);
  return module.write(request);
}

inline Reply write_report(const std::string& reporter, const std::filesystem::path& directory, const FakeHost& host) {
  return send_report_request(reporter, report_request(reporter, directory), host);
}

}  // namespace cloudai::testing
