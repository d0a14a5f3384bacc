#include "accounting_query.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>

#include "queue_query.hpp"
#include "text_fields.hpp"

namespace slurm {
namespace {

// No field holds it.
constexpr char delimiter = '\x1f';

// The submit line stands last: it may have several lines.
const std::vector<std::string>& query_columns() {
  static const std::vector<std::string> columns{"JobIDRaw",        "JobID",  "State",   "ExitCode",
                                                "DerivedExitCode", "Start",  "End",     "ElapsedRaw",
                                                "NodeList",        "Reason", "JobName", "SubmitLine"};
  return columns;
}

std::string sacct_time(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  return text.data();
}

// "123", "123.batch", "123_4.0", "123_[5-9%2]", "123+1": a number, then a step after the point.
void read_id(std::string_view text, AccountingRow& row) {
  text = trim(text);
  row.job = leading_digits(text);
  const std::size_t point = text.find('.');
  if (point != std::string_view::npos) row.step = text.substr(point + 1);
}

void set_field(AccountingRow& row, const std::string& column, const std::string& text, bool has_raw_id) {
  if (column == "JobIDRaw" || (column == "JobID" && !has_raw_id)) {
    read_id(text, row);
  } else if (column == "JobName") {
    row.name = trim(text);
  } else if (column == "State") {
    row.state = parse_job_state(text);
  } else if (column == "ExitCode") {
    row.exit_code = parse_exit_code(text).value_or(ExitCode{});
  } else if (column == "DerivedExitCode") {
    row.derived_exit_code = parse_exit_code(text).value_or(ExitCode{});
  } else if (column == "Start") {
    row.start = trim(text);
  } else if (column == "End") {
    row.end = trim(text);
  } else if (column == "ElapsedRaw" || column == "Elapsed") {
    row.elapsed = parse_elapsed(text);
  } else if (column == "NodeList") {
    row.nodes = trim(text) == "None assigned" ? std::string() : std::string(trim(text));
  } else if (column == "Reason") {
    row.reason = trim(text) == "None" ? std::string() : std::string(trim(text));
  } else if (column == "SubmitLine") {
    row.submit_line = text;
  }
}

bool has_started(const AccountingRow& row) {
  return !row.start.empty() && leading_digits(row.start).size() == 4;
}

// An attempt that has not started is later than all that have.
bool is_earlier(const AccountingRow& left, const AccountingRow& right) {
  if (has_started(left) != has_started(right)) return has_started(left);
  return has_started(left) && left.start < right.start;
}

}  // namespace

std::optional<long long> parse_elapsed(std::string_view text) {
  text = trim(text);
  text = text.substr(0, text.find('.'));
  if (text.empty() || text.find_first_not_of("0123456789-:") != std::string_view::npos) return std::nullopt;
  long long days = 0;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    std::from_chars(text.data(), text.data() + dash, days);
    text.remove_prefix(dash + 1);
  }
  long long seconds = 0;
  while (!text.empty()) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    long long part = 0;
    if (std::from_chars(text.data(), text.data() + colon, part).ec != std::errc{}) return std::nullopt;
    seconds = seconds * 60 + part;
    text.remove_prefix(std::min(colon + 1, text.size()));
  }
  return days * 86400 + seconds;
}

std::vector<AccountingRow> parse_accounting(std::string_view output, const std::vector<std::string>& columns,
                                            char separator) {
  const bool has_raw_id = std::find(columns.begin(), columns.end(), "JobIDRaw") != columns.end();
  std::vector<AccountingRow> rows;
  for (const std::string_view line : split_lines(output)) {
    const auto fields = split_fields(line, separator, columns.size());
    if (fields.size() < columns.size() || leading_digits(trim(fields[0])).empty()) {
      if (!rows.empty() && columns.back() == "SubmitLine") rows.back().submit_line.append("\n").append(line);
      continue;
    }
    AccountingRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i) set_field(row, columns[i], fields[i], has_raw_id);
  }
  return rows;
}

std::optional<AccountingRecord> last_attempt(const std::vector<AccountingRow>& rows, const std::string& job) {
  std::optional<AccountingRecord> record;
  for (const AccountingRow& row : rows) {
    if (row.job != job || !row.step.empty()) continue;
    if (!record) {
      record = AccountingRecord{row, {}, 1};
      continue;
    }
    // A job that lost a node and went on has a row for each size; it was started once.
    const bool is_resized = row.state.is("RESIZING") || record->job.state.is("RESIZING");
    if (!is_resized) ++record->attempts;
    if (!is_earlier(row, record->job)) record->job = row;
  }
  if (!record) return record;
  for (const AccountingRow& row : rows) {
    const bool is_of_attempt = record->attempts == 1 || !is_earlier(row, record->job);
    if (row.job == job && !row.step.empty() && is_of_attempt) record->steps.push_back(row);
  }
  return record;
}

AccountingAnswer query_accounting(const SlurmCommands& commands, const std::vector<std::string>& ids,
                                  std::chrono::system_clock::time_point since) {
  const auto result = commands.ask({"sacct", "--duplicates", "--noheader", "--parsable2",
                                    std::string("--delimiter=") + delimiter, "--starttime=" + sacct_time(since),
                                    "--format=" + join(query_columns(), ","), "--jobs=" + join(ids, ",")});
  AccountingAnswer answer;
  if (!succeeded(result)) {
    answer.is_off = contains(result.stderr_text, "accounting storage is disabled");
    answer.failure = failure_text("sacct", result);
    return answer;
  }
  answer.rows = parse_accounting(result.stdout_text, query_columns(), delimiter);
  return answer;
}

AccountingFind find_in_accounting(const SlurmCommands& commands, const std::string& tag,
                                  std::chrono::system_clock::time_point since) {
  const auto result = commands.ask({"sacct", "--allocations", "--noheader", "--parsable2", "--delimiter=|",
                                    "--starttime=" + sacct_time(since), "--format=JobIDRaw,JobName",
                                    "--uid=" + std::to_string(::geteuid())});
  if (!succeeded(result)) {
    const bool is_off = contains(result.stderr_text, "accounting storage is disabled");
    return {{}, is_off ? std::string() : failure_text("sacct", result)};
  }
  return {newest_with_tag(result.stdout_text, tag), {}};
}

}  // namespace slurm
