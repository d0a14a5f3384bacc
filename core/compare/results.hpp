// Results directories opened to be compared: what their summary says of tests and runs. Measurements stay on the disk
// until their test's turn.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/compare/judgement.hpp"
#include "core/support/result.hpp"

namespace cloudai::compare {

struct Run {
  std::string id;
  std::string status;
  std::string reason;   // empty where there is none
  std::string outcome;  // path of its outcome.json, relative to the results directory; empty: it has none
};

// A case of the scenario, and one step of it where a range of values was searched.
struct CaseKey {
  std::string id;
  std::int64_t step = 0;

  friend bool operator<(const CaseKey& a, const CaseKey& b) {
    return std::pair(a.id, a.step) < std::pair(b.id, b.step);
  }
};

struct Case {
  CaseKey key;
  std::string test;
  std::vector<Run> runs;  // its iterations
};

struct Results {
  std::string name;                 // "A", "B" …: what it is called in the comparison
  std::filesystem::path directory;  // absolute
  std::string scenario;
  std::string system;
  std::string started;
  std::string status;
  std::vector<Case> cases;  // in the scenario's order
};

// "A" to "Z", "AA" …
std::string results_name(std::size_t index);

// What is no results directory, or has a summary that cannot be read, is an error of use.
Result<Results> open_results(const std::filesystem::path& directory, std::string name);

// What a metric is. Two values with equal keys in one case are of the same thing.
struct MetricKey {
  std::string stage;  // "main", "prologue/<test>", "epilogue/<test>"
  std::string name;
  std::map<std::string, std::string> labels;
};

struct Metric {
  MetricKey key;
  Samples samples;
};

// The metrics of a case in the order in which they are first met.
struct Measurements {
  std::vector<Metric> metrics;
  std::map<std::string, std::size_t> places;  // by text_of_key()
  std::vector<std::string> problems;          // documents that could not be read, as sentences

  const Samples* find(const MetricKey& key) const;
};

// Reads the outcome.json of every run of the case, one after the other. What is damaged is a problem, and counts for
// nothing.
Measurements read_measurements(const std::filesystem::path& results_directory, const Case& test_case);

}  // namespace cloudai::compare
