// One fixture, alone on the search path, and where it runs.
#pragma once

#include "core/module/proxies.hpp"
#include "tests/core/module/scratch.hpp"

namespace cloudai::module::test {

// Children are of the built program.
inline IsolationPolicy policy_of(Isolation isolation) {
  IsolationPolicy policy;
  policy.all = isolation;
  policy.executable = std::filesystem::path(tree::build_directory()) / "bin/cloudai";
  return policy;
}

struct Bench {
  explicit Bench(const char* fixture, Isolation isolation = Isolation::in_process)
      : file(scratch.add(fixture)), catalogue(Catalogue::scan({scratch.path()})), policy(policy_of(isolation)) {}

  Result<Json> plan(Json request = {{"schema", "cloudai.run/1"}}) {
    auto workload = loader.workload("Fixture");
    if (!workload) return tl::make_unexpected(workload.error());
    return (*workload)->plan(std::move(request));
  }

  Scratch scratch;
  std::filesystem::path file;
  Catalogue catalogue;
  IsolationPolicy policy;
  Host host;
  Loader loader{catalogue, host, policy};
};

}  // namespace cloudai::module::test
