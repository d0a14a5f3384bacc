// What it costs to load a module and to call it, in this process and in a child: for scripts/bench. Prints JSON.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

#include "core/module/proxies.hpp"
#include "tests/core/module/isolated_module.hpp"

namespace {

using namespace cloudai;
using namespace cloudai::module;

constexpr int loads = 20;
constexpr int calls = 2000;

double milliseconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// In this process a file is mapped once, whatever its loader does afterwards: each time is that of another file.
Json measure(Isolation isolation) {
  std::vector<double> load_times;
  std::vector<double> call_times;
  const Json request = {{"schema", "cloudai.run/1"}, {"text", std::string(3000, 'a')}};
  for (int i = 0; i < loads; ++i) {
    module::test::Bench bench("good", isolation);
    load_times.push_back(milliseconds_of([&] { (void)bench.loader.workload("Fixture"); }));
    if (i > 0) continue;
    const auto workload = bench.loader.workload("Fixture").value();
    for (int k = 0; k < calls; ++k) {
      call_times.push_back(milliseconds_of([&] { (void)workload->plan(request).value(); }));
    }
  }
  return {{"load_ms", median(load_times)}, {"call_us", median(call_times) * 1000}};
}

}  // namespace

int main() {
  const Json result = {
      {"in_process", measure(Isolation::in_process)},
      {"process", measure(Isolation::process)},
      {"smallest_module_bytes", std::filesystem::file_size(module::test::Scratch::fixture_path("good"))}};
  std::puts(result.dump().c_str());
  return 0;
}
