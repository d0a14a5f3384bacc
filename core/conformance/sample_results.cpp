#include "core/conformance/sample_results.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <system_error>

#include "core/support/json.hpp"

namespace cloudai::conformance {
namespace {

namespace fs = std::filesystem;

constexpr const char* started = "2026-03-01T12:00:00.000Z";
constexpr const char* ended = "2026-03-01T12:00:10.000Z";

bool write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  return static_cast<bool>(file.flush());
}

Json reason() {
  const Json evidence = {{"path", "stdout.txt"}, {"line", 1}};
  return {{"code", "out_of_bounds"},
          {"text", "3 values are wrong <&>\"'"},
          {"hint", "Look at the node."},
          {"evidence", Json::array({evidence})}};
}

Json outcome(bool has_passed) {
  const Json metric = {{"name", "busbw"},  {"value", 4.25},
                       {"unit", "GB/s"},   {"better", "higher"},
                       {"headline", true}, {"labels", {{"size", "1048576"}, {"placement", "in"}}}};
  const Json size = {{"name", "Size"}, {"unit", "B"}, {"type", "integer"}};
  const Json busbw = {{"name", "Busbw"}, {"unit", "GB/s"}, {"type", "number"}};
  const Json table = {{"name", "measurements"},
                      {"columns", Json::array({size, busbw})},
                      {"rows", Json::array({Json::array({8, 0.25}), Json::array({1048576, 4.25})})}};
  const Json plot = {{"title", "Bus bandwidth"},    {"table", "measurements"}, {"x", "Size"},
                     {"y", Json::array({"Busbw"})}, {"x_scale", "log"},        {"y_scale", "linear"}};
  Json document = {{"schema", "cloudai.outcome/1"}, {"verdict", has_passed ? "passed" : "failed"}};
  if (!has_passed) document["reason"] = reason();
  document["metrics"] = Json::array({metric});
  document["tables"] = Json::array({table});
  document["plots"] = Json::array({plot});
  return document;
}

struct SampleRun {
  std::string id;
  std::string directory;
  const char* status;
};

Json summary_entry(const SampleRun& run, std::size_t number) {
  const bool has_passed = run.status == std::string("passed");
  Json stage = {{"kind", "main"},
                {"name", "a_test"},
                {"directory", run.directory},
                {"status", run.status},
                {"seconds", 10},
                {"exit_status", 0},
                {"stdout", run.directory + "/stdout.txt"},
                {"stderr", run.directory + "/stderr.txt"},
                {"started", started},
                {"ended", ended}};
  const Json attempt = {
      {"directory", run.directory}, {"status", run.status}, {"started", started}, {"ended", ended}, {"seconds", 10}};
  const Json headline = {{"name", "busbw"},          {"value", 4.25},         {"unit", "GB/s"}, {"better", "higher"},
                         {"labels", Json::object()}, {"stage", "main/a_test"}};
  if (!has_passed) stage["reason"] = reason();
  Json entry = {
      {"id", run.id},
      {"case", fmt::format("Tests.{}", number)},
      {"iteration", 0},
      {"step", 0},
      {"test", "a_test"},
      {"workload", "AWorkload"},
      {"description", "A test."},
      {"directory", run.directory},
      {"status", run.status},
      {"job", std::to_string(4711 + number)},
      {"nodes",
       {{"requested", Json::object({{"count", 1}})}, {"actual", Json::array({Json::object({{"name", "node001"}})})}}},
      {"started", started},
      {"ended", ended},
      {"seconds", 10},
      {"outcome", run.directory + "/outcome.json"},
      {"headline", Json::array({headline})},
      {"attempts", Json::array({attempt})},
      {"stages", Json::array({stage})}};
  if (!has_passed) entry["reason"] = reason();
  return entry;
}

bool write_run(const fs::path& directory, const SampleRun& run) {
  std::error_code failed;
  fs::create_directories(directory / run.directory, failed);
  if (failed) return false;
  const Json stage = {{"kind", "main"},
                      {"name", "a_test"},
                      {"directory", run.directory},
                      {"outcome", outcome(run.status == std::string("passed"))}};
  const Json document = {{"schema", "cloudai.run_outcome/1"}, {"id", run.id}, {"stages", Json::array({stage})}};
  return write(directory / run.directory / "outcome.json", document.dump()) &&
         write(directory / run.directory / "stdout.txt", "# out\n8 0.25\n1048576 4.25\n") &&
         write(directory / run.directory / "stderr.txt", "");
}

Json summary_head(std::size_t passed, std::size_t failed) {
  Json counts = Json::object();
  if (passed > 0) counts["passed"] = passed;
  if (failed > 0) counts["failed"] = failed;
  return {{"schema", "cloudai.summary/1"},
          {"cloudai",
           {{"version", CLOUDAI_VERSION},
            {"arguments", Json::array({"cloudai", "run"})},
            {"user", "a_user"},
            {"host", "a_host"}}},
          {"scenario", {{"name", "a scenario"}, {"file", "/scenario.toml"}, {"job_status_check", true}}},
          {"system", {{"name", "a system"}, {"scheduler", "a_scheduler"}, {"file", "/system.toml"}}},
          {"files", Json::array()},
          {"modules", Json::array()},
          {"scheduler_calls", Json::object({{"submit", passed + failed}})},
          {"started", started},
          {"ended", ended},
          {"seconds", 10},
          {"status", failed > 0 || passed == 0 ? "failed" : "passed"},
          {"exit_status", failed > 0 || passed == 0 ? 1 : 0},
          {"counts", std::move(counts)}};
}

}  // namespace

bool write_sample_results(const fs::path& directory, std::size_t runs) {
  std::error_code failed;
  fs::create_directories(directory, failed);
  const std::size_t failures = runs / 7;
  std::string text = summary_head(runs - failures, failures).dump();
  text.pop_back();
  text += ",\"runs\":[";
  for (std::size_t i = 1; i <= runs; ++i) {
    const SampleRun run{fmt::format("Tests.{}/0", i), fmt::format("Tests.{}/0", i), i % 7 == 0 ? "failed" : "passed"};
    if (!write_run(directory, run)) return false;
    text += (i == 1 ? "\n" : ",\n") + summary_entry(run, i).dump();
  }
  const Json inputs = {{"schema", "cloudai.inputs/1"},
                       {"system", Json::object()},
                       {"scenario", Json::object()},
                       {"tests", Json::array()}};
  return write(directory / "summary.json", text + "]}\n") && write(directory / "inputs.json", inputs.dump());
}

}  // namespace cloudai::conformance
