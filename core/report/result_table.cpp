#include "core/report/result_table.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/report/summary.hpp"
#include "core/support/text_width.hpp"

namespace cloudai::report {

namespace fs = std::filesystem;
using run::RunRecord;
using run::StageRecord;
using run::Status;

namespace {

using Row = std::array<std::string, 4>;

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

std::string duration_of(const RunRecord& record) {
  if (!record.started || !record.ended) return "-";
  char text[32];
  const std::chrono::duration<double> seconds = *record.ended - *record.started;
  std::snprintf(text, sizeof text, "%.1f s", seconds.count());
  return text;
}

const char* colour_of(Status status) {
  switch (status) {
    case Status::passed:
      return "\033[1;32m";
    case Status::skipped:
    case Status::cancelled:
    case Status::inconclusive:
      return "\033[1;33m";
    default:
      return "\033[1;31m";
  }
}

std::string name_of(const RunRecord& record) {
  const auto& test_case = *record.run->test_case;
  const std::string id = one_line(test_case.id);
  return test_case.iterations > 1 ? id + " (iteration " + std::to_string(record.run->iteration + 1) + ")" : id;
}

std::string remark_on(const RunRecord& record) {
  if (!record.reason.text.empty() || record.ended_by.empty()) return record.reason.text;
  return "ended with test " + record.ended_by;
}

std::string line(const Row& row, const std::array<std::size_t, 3>& widths, const char* status_colour) {
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string padding(widths[i] - std::min(widths[i], columns_of(row[i])) + 2, ' ');
    text += i == 1 && status_colour != nullptr ? status_colour + row[i] + "\033[0m" : row[i];
    text += padding;
  }
  text += row[3];
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

// The stage whose output tells what went wrong.
const StageRecord* telling_stage(const RunRecord& record) {
  for (const StageRecord& stage : record.stages) {
    if (stage.status != Status::passed && stage.status != Status::skipped) return &stage;
  }
  return nullptr;
}

std::string advice(const RunRecord& record, const fs::path& results_directory, const std::string& rerun) {
  std::string text = "\n" + name_of(record) + " " + std::string(to_string(record.status)) + ": " +
                     without_controls(record.reason.text) + "\n";
  if (!record.reason.hint.empty()) text += "  " + without_controls(record.reason.hint) + "\n";
  if (const StageRecord* stage = telling_stage(record)) {
    const fs::path directory = results_directory / stage->directory;
    std::error_code ignored;
    for (const char* file : {"stdout.txt", "stderr.txt"}) {
      if (fs::exists(directory / file, ignored)) text += "  read:  " + one_line((directory / file).string()) + "\n";
    }
  }
  return text + "  again: " + rerun + " " + one_line(shell_quoted(record.run->test_case->id)) + "\n";
}

std::string totals(const run::Ending& ending) {
  std::string text;
  for (const auto& [status, count] : count_by_status(ending)) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(to_string(status));
  }
  return text.empty() ? "no test ran" : text;
}

}  // namespace

std::string shell_quoted(const std::string& word) {
  static constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=@%+,-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string result_table(const run::Ending& ending, const fs::path& results_directory, bool colour,
                         const std::string& rerun) {
  std::vector<Row> rows{{"Test", "Status", "Time", "Reason"}};
  for (const RunRecord& record : ending.records) {
    rows.push_back(
        {name_of(record), upper(to_string(record.status)), duration_of(record), one_line(remark_on(record))});
  }
  std::array<std::size_t, 3> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < 3; ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  std::string text = "\n" + line(rows[0], widths, nullptr);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    text += line(rows[i], widths, colour ? colour_of(ending.records[i - 1].status) : nullptr);
  }
  text += "\n" + totals(ending) + "\n";
  for (const RunRecord& record : ending.records) {
    if (record.status == Status::passed || record.status == Status::skipped) continue;
    text += advice(record, results_directory, rerun);
  }
  return text;
}

std::string failed_reports_text(const std::vector<FailedReport>& failed) {
  std::string text;
  for (const auto& [name, reason] : failed) {
    text += "\nReport " + one_line(name) + " could not be generated: " + one_line(reason) + "\n";
  }
  return text;
}

}  // namespace cloudai::report
