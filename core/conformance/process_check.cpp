#include <fmt/format.h>
#include <malloc.h>

#include <functional>
#include <string>
#include <vector>

#include "core/conformance/check.hpp"
#include "core/conformance/process_state.hpp"
#include "core/conformance/sample_results.hpp"
#include "core/conformance/samples.hpp"
#include "core/conformance/subject.hpp"

namespace cloudai::conformance {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t calls = 1000;
// What is allocated once, or grows now and then, is no leak: it has to be so much a call, in both halves.
constexpr std::size_t leaked_bytes = 16;

using Call = std::function<void()>;

void call_scheduler(Subject& subject, const module::Provided& scheduler, const fs::path& directory) {
  void* instance = nullptr;
  if (!subject.open(sample_open(scheduler, directory, true).dump(), "", &instance).is_ok()) return;
  subject.call(scheduler.interface_id, "render", sample_job(scheduler, directory, Json::array()).dump(), "", instance);
  subject.close(instance);
}

// One call of everything the module provides.
std::vector<Call> calls_of(Subject& subject, const fs::path& directory) {
  std::vector<Call> all;
  for (const auto& provided : subject.file().provides) {
    if (provided.interface_id == module::workload_interface) {
      const std::string run = sample_run(provided, directory).dump();
      const Json plan = {{"schema", "cloudai.plan/1"}, {"steps", Json::array()}};
      const std::string stage = sample_stage(provided, directory, plan).dump();
      all.push_back([&subject, run] { subject.call(module::workload_interface, "plan", run, ""); });
      all.push_back([&subject, stage] { subject.call(module::workload_interface, "evaluate", stage, ""); });
    } else if (provided.interface_id == module::scheduler_interface) {
      all.push_back([&subject, &provided, directory] { call_scheduler(subject, provided, directory); });
    } else if (provided.interface_id == module::reporter_interface) {
      const Json request = {{"schema", "cloudai.report_request/1"},
                            {"provider", provided.name},
                            {"kind", "scenario"},
                            {"results", Json::array({Json::object({{"directory", (directory / "results").string()}})})},
                            {"options", sample_value(provided.config_schema)},
                            {"directory", (directory / "report").string()}};
      all.push_back([&subject, text = request.dump()] { subject.call(module::reporter_interface, "write", text, ""); });
    }
  }
  return all;
}

std::size_t bytes_in_use() {
  const auto use = ::mallinfo2();
  return use.uordblks + use.hblkhd;
}

void check_growth(const std::vector<Call>& all, Findings& findings) {
  const auto repeat = [&all](std::size_t times) {
    for (std::size_t i = 0; i < times; ++i) {
      for (const Call& call : all) call();
    }
    return bytes_in_use();
  };
  const std::size_t first = repeat(calls / 5);
  const std::size_t second = repeat(calls / 5 * 2);
  const std::size_t third = repeat(calls / 5 * 2);
  const std::size_t allowed = leaked_bytes * (calls / 5 * 2);
  if (second <= first + allowed || third <= second + allowed) return;
  findings.fault(fmt::format("It keeps about {} bytes of memory for each of {} calls.",
                             (third - second) / (calls / 5 * 2), calls));
}

}  // namespace

void check_process(const Context& context, Findings& findings) {
  std::error_code ignored;
  fs::create_directories(context.directory / "report", ignored);
  write_sample_results(context.directory / "results", 1);
  const ProcessState before = process_state();
  {
    const auto subject = Subject::load(context);
    if (!subject) return findings.fault(subject.error().message);
    check_growth(calls_of(**subject, context.directory), findings);
    context.now("deinit()");
  }
  for (auto& difference : differences(before, process_state())) findings.fault(std::move(difference));
}

}  // namespace cloudai::conformance
