// cloudai.comparison/1 as the core writes it, for the tests of reporters.
#pragma once

#include <cmath>
#include <string>
#include <utility>

#include "cloudai/documents/value.hpp"

namespace cloudai::samples {

// Of one metric in A and B; "percent" and the verdict are as given.
inline Json compared_metric(const std::string& name, const std::string& unit, Json labels, double before, double after,
                            const std::string& verdict) {
  Json metric = {{"name", name}, {"stage", "main"}, {"labels", std::move(labels)}, {"better", "higher"}};
  metric["values"]["A"] = {{"median", before},     {"unit", unit},          {"count", 3},
                           {"low", before * 0.97}, {"high", before * 1.02}, {"passed", true}};
  metric["values"]["B"] = {{"median", after}, {"unit", unit}, {"count", 1}, {"passed", true}};
  metric["changes"]["B"] = {
      {"verdict", verdict}, {"difference", after - before}, {"percent", (after / before - 1) * 100}};
  return metric;
}

// A test whose bandwidth breaks down at large sizes, and one that fails now.
inline Json sample_comparison() {
  Json document = {{"schema", "cloudai.comparison/1"}, {"tolerance", {{"percent", 5.0}}}, {"verdict", "regression"}};
  document["results"] = Json::array();
  for (const char* name : {"A", "B"}) {
    document["results"].push_back({{"name", name},
                                   {"directory", std::string("/results/nightly_") + name},
                                   {"scenario", "nightly"},
                                   {"system", "example"},
                                   {"started", "2026-03-01T12:00:00.000Z"},
                                   {"status", "passed"}});
  }
  Json all_reduce = {{"case", "all-reduce"}, {"step", 0}};
  for (const char* name : {"A", "B"}) {
    all_reduce["results"][name] = {{"test", "all_reduce"}, {"runs", 1}, {"statuses", {{"passed", 1}}}};
  }
  all_reduce["changes"]["B"]["verdict"] = "same";
  all_reduce["metrics"] = Json::array();
  for (int power = 10; power <= 33; ++power) {
    const double size = std::exp2(power);
    const double peak = 370 * size / (size + 3e7);
    for (const char* placement : {"out", "in"}) {
      const Json labels = {
          {"collective", "all_reduce"}, {"placement", placement}, {"size", std::to_string(1LL << power)}};
      const bool slow = power > 28;
      all_reduce["metrics"].push_back(
          compared_metric("busbw", "GB/s", labels, peak, peak * (slow ? 0.84 : 1.01), slow ? "regression" : "same"));
    }
  }
  document["cases"].push_back(std::move(all_reduce));
  Json failing = {{"case", "all-gather"}, {"step", 0}};
  failing["results"]["A"] = {{"test", "all_gather"}, {"runs", 1}, {"statuses", {{"passed", 1}}}};
  failing["results"]["B"] = {{"test", "all_gather"}, {"runs", 1}, {"statuses", {{"failed", 1}}}};
  failing["results"]["B"]["not_passed"] =
      Json::array({{{"id", "all-gather/0"}, {"status", "failed"}, {"reason", "Out of bounds values: 2"}}});
  failing["changes"]["B"]["verdict"] = "regression";
  failing["metrics"] = Json::array();
  document["cases"].push_back(std::move(failing));
  document["counts"] = {{"cases", {{"regression", 1}, {"same", 1}}}, {"metrics", {{"regression", 10}, {"same", 38}}}};
  return document;
}

}  // namespace cloudai::samples
