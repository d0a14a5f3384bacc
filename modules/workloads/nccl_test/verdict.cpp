#include "modules/workloads/nccl_test/verdict.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include "cloudai/default_evaluation.hpp"
#include "modules/workloads/nccl_test/command.hpp"
#include "modules/workloads/nccl_test/measurements.hpp"
#include "modules/workloads/nccl_test/output_parser.hpp"
#include "modules/workloads/nccl_test/text.hpp"

namespace cloudai::nccl_test {

namespace {

constexpr const char* output_file = "stdout.txt";

using Finding = std::optional<Reason>;

Reason finding(const char* code, std::string text, std::optional<int> line = std::nullopt, std::string hint = {}) {
  return {code, std::move(text), std::move(hint), {{output_file, line}}};
}

std::filesystem::path output_path(const StageRequest& stage) {
  return std::filesystem::path(stage.stage.directory) / output_file;
}

// Why there is nothing to read.
Finding missing_output(const StageRequest& stage) {
  const auto path = output_path(stage);
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  std::string text;
  if (!std::filesystem::exists(status)) {
    text = path.string() + " does not exist: nothing that ran wrote any output";
  } else if (!std::filesystem::is_regular_file(status)) {
    text = path.string() + " is not a regular file";
  } else if (std::filesystem::file_size(path, error) == 0 && !error) {
    text = path.string() + " is empty: the program wrote no output";
  } else if (!std::ifstream(path)) {
    text = path.string() + " cannot be read: " + std::strerror(errno);
  } else {
    return std::nullopt;
  }
  return Reason{reason_code::missing_output, text, "", {{output_file, std::nullopt}}};
}

Finding reported_failure(const Output& output) {
  if (output.failures.empty()) return std::nullopt;
  const Failure& first = output.failures.front();
  std::string text = "the program reports a failure: " + first.text;
  if (output.failures.size() > 1) text += " (and " + counted(output.failures.size() - 1, "more failure") + ")";
  std::string hint;
  if (first.text.find("invalid device ordinal") != std::string::npos) {
    hint = "More processes or GPUs were asked for on a node than it has GPUs.";
  }
  Reason reason = finding(reason_code::test_failure, text, first.line, hint);
  for (std::size_t i = 1; i < output.failures.size(); ++i) {
    reason.evidence.push_back({output_file, output.failures[i].line});
  }
  return reason;
}

std::string whole_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.15g", value);
  return text.data();
}

Finding wrong_data(const Output& output) {
  if (output.first_wrong) {
    const Row& row = *output.first_wrong;
    for (std::size_t placement = 0; placement < row.sides.size(); ++placement) {
      const Side& side = row.sides[placement];
      if (!side.marked && side.wrong.value_or(0) == 0) continue;
      const std::string amount =
          side.wrong.value_or(0) > 0 ? whole_text(*side.wrong) + " wrong values" : std::string("wrong values");
      return finding(reason_code::out_of_bounds,
                     amount + " at size " + std::to_string(row.size) + ", " + placement_names[placement], row.line);
    }
  }
  if (output.out_of_bounds && !output.out_of_bounds->ok) {
    return finding(reason_code::out_of_bounds,
                   "the program counts " + output.out_of_bounds->count + " results with out of bounds values",
                   output.out_of_bounds->line);
  }
  return std::nullopt;
}

Finding low_average(const Output& output) {
  if (!output.average || !output.average->failed) return std::nullopt;
  const std::string value = output.average->value ? Json(*output.average->value).dump() + " GB/s " : "";
  return finding(reason_code::test_failure, "average bus bandwidth " + value + "is below NCCL_TESTS_MIN_BW",
                 output.average->line);
}

std::string last_complete_size(const Output& output) {
  if (output.row_count == 0) return "; no size was completed";
  return "; last complete size " + std::to_string(output.last_size);
}

Finding missing_end(const StageRequest& stage, const Output& output) {
  std::string missing;
  if (!output.out_of_bounds) missing = "'# Out of bounds values'";
  if (!output.average) missing += std::string(missing.empty() ? "" : ", ") + "'# Avg bus bandwidth'";
  if (missing.empty()) return std::nullopt;
  return finding(reason_code::incomplete_output, "Missing success indicators in " + output_path(stage).string() + ": " +
                                                     missing + last_complete_size(output));
}

Finding no_rows(const Output& output) {
  if (output.row_count > 0) return std::nullopt;
  if (output.malformed_rows == 0) return finding(reason_code::no_measurement, "the output holds no measurement");
  return finding(reason_code::no_measurement,
                 "the output holds no measurement, only " + counted(output.malformed_rows, "malformed row"),
                 output.first_malformed_line);
}

Finding unreadable_rows(const Output& output) {
  if (output.malformed_rows == 0) return std::nullopt;
  return finding(
      reason_code::incomplete_output,
      counted(output.malformed_rows, "row") + " of the table cannot be read, so what they measured is unknown",
      output.first_malformed_line, "Other output inside the table, such as NCCL_DEBUG's, can be sent elsewhere.");
}

Finding impossible_numbers(const Output& output) {
  if (!output.first_impossible) return std::nullopt;
  return finding(reason_code::no_measurement,
                 "the numbers at size " + std::to_string(output.first_impossible->size) + " are no measurement",
                 output.first_impossible->line);
}

// The test may ask for no check; then there is none.
Finding unchecked_data(const StageRequest& stage, const Output& output) {
  if (!output.first_unchecked || stage.test.cmd_args.find<Json>("check").value_or(1) == 0) return std::nullopt;
  return finding(reason_code::incomplete_output,
                 "the test asks for a check of the data, the log shows none at size " +
                     std::to_string(output.first_unchecked->size),
                 output.first_unchecked->line);
}

Finding missing_average(const Output& output) {
  if (!output.average || (output.average->value && std::isfinite(*output.average->value))) return std::nullopt;
  return finding(reason_code::incomplete_output, "the average bus bandwidth is not a number", output.average->line);
}

// Ranks are numbered from 0 on.
bool are_consecutive(const std::vector<Device>& devices) {
  std::vector<std::int64_t> ranks;
  for (const Device& device : devices) ranks.push_back(device.rank);
  std::sort(ranks.begin(), ranks.end());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

std::string ranks_on_nodes(std::size_t ranks, std::size_t nodes) {
  return counted(ranks, "rank") + " on " + counted(nodes, "node");
}

Finding missing_ranks(const StageRequest& stage, const Output& output) {
  const auto planned_ranks = static_cast<std::size_t>(stage.plan.expects.ranks.value_or(0));
  const auto planned_nodes = static_cast<std::size_t>(stage.plan.expects.nodes.value_or(0));
  const std::string expected = "expected " + ranks_on_nodes(planned_ranks, planned_nodes) + ", the log shows ";
  const std::string hint =
      "Check that the program is built with MPI and started by the launcher of the MPI it is built with.";
  if (output.tables > 1) {
    return finding(
        reason_code::ranks_missing,
        expected + std::to_string(output.tables) + " separate tables of processes that did not find each other",
        std::nullopt, hint);
  }
  const std::size_t ranks = output.devices.size();
  const std::size_t nodes = host_count(output);
  if (planned_ranks == 0) return std::nullopt;
  // A list is cut where it is long; one that shows less than half of the ranks says nothing of the others.
  const bool is_enough =
      output.device_list_cut ? ranks <= planned_ranks && 2 * ranks > planned_ranks : ranks == planned_ranks;
  const bool ranks_fit = is_enough && are_consecutive(output.devices);
  const bool nodes_fit =
      planned_nodes == 0 || (output.device_list_cut ? nodes <= planned_nodes : nodes == planned_nodes);
  if (ranks_fit && nodes_fit) return std::nullopt;
  std::string found = std::to_string(ranks);
  if (is_enough && nodes_fit) {
    found += " with other numbers than 0 to " + std::to_string(ranks - 1);
  } else if (ranks == 0) {
    found = "none";
  } else if (nodes != planned_nodes) {
    found = ranks_on_nodes(ranks, nodes);
  }
  return finding(reason_code::ranks_missing, expected + found, std::nullopt, ranks < planned_ranks ? hint : "");
}

Finding missing_sizes(const StageRequest& stage, const Output& output) {
  if (stage.plan.steps.size() != 1) return std::nullopt;
  const auto requested = largest_requested_size(stage.plan.steps[0].command.argv);
  // Collectives that give each rank a share round it down, to a multiple of 16 bytes.
  const auto rounding = 16 * static_cast<std::int64_t>(std::max<std::size_t>(output.devices.size(), 1));
  if (!requested || output.largest_size > *requested - rounding) return std::nullopt;
  std::string text = "the largest size measured is " + std::to_string(output.largest_size) + ", the test asks for " +
                     std::to_string(*requested);
  if (!output.reduction_note.empty()) text += "; the log says: " + output.reduction_note;
  return finding(reason_code::incomplete_output, text);
}

// What the output of a program that ended by itself says against it, the most telling first.
Finding objection(const StageRequest& stage, const Output& output) {
  if (auto found = reported_failure(output)) return found;
  if (auto found = wrong_data(output)) return found;
  if (auto found = low_average(output)) return found;
  // A program that was stopped on purpose has no end.
  if (!stage.ended_by_dependency) {
    if (auto found = missing_end(stage, output)) return found;
  }
  if (auto found = no_rows(output)) return found;
  if (auto found = missing_ranks(stage, output)) return found;
  if (auto found = unreadable_rows(output)) return found;
  if (auto found = impossible_numbers(output)) return found;
  if (auto found = unchecked_data(stage, output)) return found;
  if (auto found = missing_average(output)) return found;
  if (!stage.ended_by_dependency) return missing_sizes(stage, output);
  return std::nullopt;
}

void fail(Outcome& outcome, Reason reason) {
  outcome.verdict = Verdict::failed;
  outcome.reason = std::move(reason);
}

// The stage did not end well: the log may know better than the exit status why.
void explain(Outcome& outcome, const Output& output) {
  Reason& reason = *outcome.reason;
  if (reason.code == reason_code::exit_status) {
    for (const auto& cause : {reported_failure(output), wrong_data(output), low_average(output)}) {
      if (!cause) continue;
      const std::string status = reason.text;
      reason = *cause;
      reason.text += " (" + status + ")";
      return;
    }
  }
  if (reason.code != reason_code::command_not_found) reason.text += last_complete_size(output);
}

}  // namespace

Outcome evaluated(const StageRequest& stage) {
  Outcome outcome = default_evaluation(stage);
  if (auto missing = missing_output(stage)) {
    if (outcome.verdict == Verdict::passed) fail(outcome, std::move(*missing));
    return outcome;
  }
  std::ifstream file(output_path(stage), std::ios::binary);
  const Output output = parse_output(file);
  const std::string collective = output.collective.empty()
                                     ? collective_of(stage.test.cmd_args.find<std::string>("subtest_name").value_or(""))
                                     : output.collective;
  if (outcome.verdict != Verdict::passed) {
    explain(outcome, output);
  } else if (auto found = objection(stage, output)) {
    fail(outcome, std::move(*found));
  }
  add_observations(output, collective, outcome);
  if (outcome.verdict == Verdict::passed) add_metrics(output, collective, outcome);
  return outcome;
}

}  // namespace cloudai::nccl_test
