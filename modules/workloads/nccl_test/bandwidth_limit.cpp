#include "modules/workloads/nccl_test/bandwidth_limit.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <tuple>

#include "modules/workloads/nccl_test/findings.hpp"
#include "modules/workloads/nccl_test/measurements.hpp"
#include "modules/workloads/nccl_test/planned_findings.hpp"
#include "modules/workloads/nccl_test/text.hpp"

namespace cloudai::nccl_test {

namespace {

struct Limit {
  double busbw = 0;                  // GB/s
  double tolerance = 0;              // percent
  std::optional<std::int64_t> size;  // absent: the largest

  double least() const { return busbw * (100 - tolerance) / 100; }
};

std::optional<Limit> limit_of(const Options& options) {
  const auto busbw = options.find<double>("min_busbw");
  if (!busbw) return std::nullopt;
  Limit limit{*busbw, options.find<double>("min_busbw_tolerance").value_or(0), std::nullopt};
  const auto size = options.find<std::string>("min_busbw_size").value_or("largest");
  if (size != "largest") limit.size = byte_size(size);
  return limit;
}

std::string short_number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

std::string two_decimals(double value) {
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

std::string limit_text(const Limit& limit) {
  if (limit.tolerance == 0) return "limit " + short_number(limit.busbw) + " GB/s";
  return "limit " + short_number(limit.busbw) + " - " + short_number(limit.tolerance) +
         " % = " + short_number(limit.least()) + " GB/s";
}

struct Lowest {
  double busbw = 0;
  std::size_t placement = out_of_place;
  std::int64_t size = 0;
  int line = 0;
};

// Means over cycles, the lowest of them.
std::optional<Lowest> lowest_at(const Output& output, std::int64_t size, std::int64_t rounding) {
  struct Mean {
    double sum = 0;
    int count = 0;
    Lowest first;
  };
  std::map<std::tuple<std::string, std::string, std::optional<std::int64_t>, std::size_t>, Mean> means;
  for (const Row& row : output.rows) {
    if (row.size > size || row.size <= size - rounding) continue;
    for (std::size_t side = 0; side < row.sides.size(); ++side) {
      if (!row.sides[side].busbw) continue;
      Mean& mean = means[{row.type, row.redop, row.root, side}];
      if (mean.count++ == 0) mean.first = {0, side, row.size, row.line};
      mean.sum += *row.sides[side].busbw;
    }
  }
  std::optional<Lowest> lowest;
  for (auto& [key, mean] : means) {
    mean.first.busbw = mean.sum / mean.count;
    if (!lowest || mean.first.busbw < lowest->busbw) lowest = mean.first;
  }
  return lowest;
}

std::optional<Lowest> lowest_for(const Limit& limit, const StageRequest& stage, const Output& output) {
  if (!limit.size) return lowest_at(output, output.largest_size, 1);
  const auto request = request_of(stage);
  return lowest_at(output, *limit.size, request ? rounding(stage, *request, output).value_or(1) : 1);
}

void cannot_decide(Outcome& outcome, const Limit& limit, const std::string& why) {
  outcome.verdict = Verdict::inconclusive;
  outcome.reason =
      finding(reason_code::no_measurement, "min_busbw cannot be evaluated (" + limit_text(limit) + "): " + why);
}

}  // namespace

void apply_bandwidth_limit(const StageRequest& stage, const Output& output, Outcome& outcome) {
  const auto limit = limit_of(stage.test.cmd_args);
  // What was stopped on purpose may not have come that far.
  if (!limit || stage.ended_by_dependency) return;
  if (is_alone(output)) {
    return cannot_decide(outcome, *limit, "one rank sends nothing, so that there is no bus bandwidth");
  }
  const auto lowest = lowest_for(*limit, stage, output);
  if (!lowest) {
    const std::int64_t size = limit->size.value_or(output.largest_size);
    return cannot_decide(outcome, *limit, "no bus bandwidth was measured at size " + std::to_string(size));
  }
  const bool reached = lowest->busbw >= limit->least();
  const std::string text = "bus bandwidth at size " + std::to_string(lowest->size) + ", " +
                           placement_names[lowest->placement] + ": measured " + two_decimals(lowest->busbw) +
                           (reached ? " >= " : " < ") + limit_text(*limit);
  outcome.facts["min_busbw"] = text;
  if (reached) return;
  outcome.verdict = Verdict::failed;
  outcome.reason = finding(reason_code::below_minimum, text, lowest->line);
}

void add_references(const StageRequest& stage, const Output& output, Outcome& outcome) {
  std::vector<Reference> references;
  if (const auto limit = limit_of(stage.test.cmd_args)) {
    const auto lowest = lowest_for(*limit, stage, output);
    const std::optional<double> size = lowest ? std::optional<double>(lowest->size) : std::nullopt;
    // Without a point that it is about, it is still worth a line, but nothing is below it.
    references.push_back({"min_busbw", limit->least(), size, size.has_value()});
  }
  if (stage.speed_of_light) references.push_back({"speed of light", *stage.speed_of_light, std::nullopt, false});
  for (Plot& plot : outcome.plots) {
    if (plot.title == bandwidth_plot) plot.references = references;
  }
}

}  // namespace cloudai::nccl_test
