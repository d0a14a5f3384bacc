// Results directories of a few runs, as a run leaves them behind.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/compare/results.hpp"
#include "core/support/json.hpp"
#include "tests/core/scratch_directory.hpp"

namespace cloudai::testing {

inline Json sample_metric(const std::string& name, double value, const std::string& unit, const std::string& better,
                          Json labels = Json::object()) {
  return {{"name", name}, {"value", value}, {"unit", unit}, {"better", better}, {"labels", std::move(labels)}};
}

inline Json sample_stage(const std::string& run, const std::string& kind, const std::string& name, Json metrics) {
  const std::string directory = kind == "main" ? run : run + "/" + kind + "/" + name;
  return {{"kind", kind},
          {"name", name},
          {"directory", directory},
          {"outcome", {{"schema", "cloudai.outcome/1"}, {"verdict", "passed"}, {"metrics", std::move(metrics)}}}};
}

class SampleResults {
 public:
  explicit SampleResults(std::filesystem::path directory) : directory_(std::move(directory)) {
    std::filesystem::create_directories(directory_);
    summary_ = {{"schema", "cloudai.summary/1"},
                {"scenario", {{"name", "nccl-test"}}},
                {"system", {{"name", "example"}}},
                {"started", "2026-03-01T12:00:00.000Z"},
                {"status", "passed"},
                {"runs", Json::array()}};
  }

  const std::filesystem::path& directory() const { return directory_; }
  Json& summary() { return summary_; }

  // A run of test "t"; the outcome is one main stage with these metrics.
  SampleResults& run(const std::string& test_case, int iteration, const std::string& status, Json metrics) {
    // One metric in braces is a list of one for g++, and the metric itself for clang.
    if (!metrics.is_array()) metrics = metrics.empty() ? Json::array() : Json::array({metrics});
    const std::string id = test_case + "/" + std::to_string(iteration);
    return run_of_stages(test_case, iteration, status,
                         Json::array({sample_stage(id, "main", "t", std::move(metrics))}));
  }

  SampleResults& run_of_stages(const std::string& test_case, int iteration, const std::string& status, Json stages) {
    const std::string id = test_case + "/" + std::to_string(iteration);
    Json entry = {{"id", id},    {"case", test_case}, {"iteration", iteration},         {"step", 0},
                  {"test", "t"}, {"status", status},  {"outcome", id + "/outcome.json"}};
    if (status != "passed") entry["reason"] = {{"code", "exit_status"}, {"text", "exit status 1"}};
    summary_["runs"].push_back(std::move(entry));
    std::filesystem::create_directories(directory_ / id);
    write(id + "/outcome.json", {{"schema", "cloudai.run_outcome/1"}, {"id", id}, {"stages", std::move(stages)}});
    return *this;
  }

  void write(const std::string& name, const Json& document) const {
    std::ofstream(directory_ / name, std::ios::binary) << document.dump(1, ' ', false, Json::error_handler_t::replace);
  }

  // Opened, after summary.json was written.
  compare::Results open(const std::string& name) const {
    write("summary.json", summary_);
    return compare::open_results(directory_, name).value();
  }

 private:
  std::filesystem::path directory_;
  Json summary_;
};

}  // namespace cloudai::testing
