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
#include "modules/workloads/nccl_test/bandwidth_limit.hpp"
#include "modules/workloads/nccl_test/facts.hpp"
#include "modules/workloads/nccl_test/findings.hpp"
#include "modules/workloads/nccl_test/line_prefix.hpp"
#include "modules/workloads/nccl_test/line_reader.hpp"
#include "modules/workloads/nccl_test/measurements.hpp"
#include "modules/workloads/nccl_test/output_parser.hpp"
#include "modules/workloads/nccl_test/planned_findings.hpp"
#include "modules/workloads/nccl_test/text.hpp"

namespace cloudai::nccl_test {

namespace {

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
  const Remark& first = output.failures.front();
  std::string text = "the program reports a failure: " + first.text;
  if (output.failures.size() > 1) text += " (and " + counted(output.failures.size() - 1, "more failure") + ")";
  std::string hint;
  if (first.text.find("invalid device ordinal") != std::string::npos) {
    hint = "More processes or GPUs were asked for on a node than it has GPUs.";
  }
  Reason reason = finding(reason_code::test_failure, text, first.line, hint);
  for (std::size_t i = 1; i < output.failures.size() && first.line > 0; ++i) {
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

// The last line of a file of the stage that is not blank, as far as its last kilobytes show it.
std::string last_line(const std::filesystem::path& path) {
  constexpr std::streamoff enough = 4096;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  file.seekg(std::max<std::streamoff>(0, file.tellg() - enough));
  std::string scratch;
  std::string last;
  for_each_line(file, [&](std::string_view line, int, bool) {
    const std::string_view text = trimmed(content_of(line, scratch).text);
    if (!text.empty() && text != "#") last = text.substr(0, 200);
  });
  return last;
}

// How the outputs end, which often tells why.
std::string last_words(const StageRequest& stage) {
  std::string text;
  for (const char* name : {"stdout.txt", "stderr.txt"}) {
    const std::string line = last_line(std::filesystem::path(stage.stage.directory) / name);
    if (!line.empty()) text += (text.empty() ? "" : " ") + (std::string(name) + " ends with: ") + line;
  }
  return text;
}

Finding missing_end(const StageRequest& stage, const Output& output) {
  std::string missing;
  if (!output.out_of_bounds) missing = "'# Out of bounds values'";
  if (!output.average) missing += std::string(missing.empty() ? "" : ", ") + "'# Avg bus bandwidth'";
  if (missing.empty()) return std::nullopt;
  return finding(
      reason_code::incomplete_output,
      "Missing success indicators in " + output_path(stage).string() + ": " + missing + last_complete_size(output),
      std::nullopt, last_words(stage));
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
  // In JSON the verdict stands in the key beside it.
  if (output.format.rfind("json", 0) == 0) return std::nullopt;
  if (!output.average || (output.average->value && std::isfinite(*output.average->value))) return std::nullopt;
  return finding(reason_code::incomplete_output, "the average bus bandwidth is not a number", output.average->line);
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
  const auto request = request_of(stage);
  if (request) {
    if (auto found = other_benchmark(*request, output)) return found;
  }
  if (auto found = missing_ranks(stage, output)) return found;
  if (auto found = unreadable_rows(output)) return found;
  if (auto found = impossible_numbers(output)) return found;
  if (auto found = unchecked_data(stage, output)) return found;
  if (auto found = missing_average(output)) return found;
  if (request && !stage.ended_by_dependency) return missing_size(stage, *request, output);
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
  outcome.facts = facts_of(output, collective);
  add_tables(output, outcome);
  add_references(stage, output, outcome);
  if (outcome.verdict != Verdict::passed) {
    explain(outcome, output);
    return outcome;
  }
  if (auto found = objection(stage, output)) {
    fail(outcome, std::move(*found));
    return outcome;
  }
  if (const auto request = request_of(stage)) {
    if (const std::string chosen = chosen_sizes(*request, output); !chosen.empty()) outcome.facts["sizes"] = chosen;
  }
  add_metrics(output, collective, outcome);
  apply_bandwidth_limit(stage, output, outcome);
  return outcome;
}

}  // namespace cloudai::nccl_test
