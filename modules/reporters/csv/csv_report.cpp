#include "modules/reporters/csv/csv_report.hpp"

#include <map>
#include <optional>
#include <system_error>

#include "modules/reporters/csv/csv_text.hpp"
#include "modules/reporters/results/outcome.hpp"
#include "modules/reporters/results/output_file.hpp"
#include "modules/reporters/results/paths.hpp"
#include "modules/reporters/results/summary.hpp"

namespace cloudai::csv {

namespace fs = std::filesystem;
using results::RunSummary;
using results::StageOutcome;

namespace {

const std::vector<std::string> run_columns = {
    "run", "case",  "iteration", "step",  "test",    "workload",     "status",     "reason_code", "reason",
    "job", "nodes", "started",   "ended", "seconds", "hook_seconds", "hook_share", "headline"};

const std::vector<std::string> metric_columns = {"run",   "case", "iteration", "step", "test",   "stage_kind",
                                                 "stage", "name", "value",     "unit", "better", "labels"};

std::string optional_cell(const std::optional<double>& value) {
  return value ? number_cell(*value) : std::string();
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
  std::string result;
  for (const std::string& part : parts) result += (result.empty() ? "" : between) + part;
  return result;
}

// The seconds its prologue and epilogue took; nothing if no stage of them says.
std::optional<double> hook_seconds(const RunSummary& run) {
  std::optional<double> sum;
  for (const results::StageSummary& stage : run.stages) {
    if (stage.kind != "main" && stage.seconds) sum = sum.value_or(0) + *stage.seconds;
  }
  return sum;
}

// "collective=all_reduce;placement=in". A backslash stands before a separator that is part of a value.
std::string label_text(const std::map<std::string, std::string>& labels) {
  const auto escaped = [](const std::string& text) {
    std::string result;
    for (const char c : text) {
      if (c == ';' || c == '=' || c == '\\') result += '\\';
      result += c;
    }
    return result;
  };
  std::string result;
  for (const auto& [name, value] : labels) {
    result += (result.empty() ? "" : ";") + escaped(name) + "=" + escaped(value);
  }
  return result;
}

std::string headline_text(const std::vector<results::HeadlineMetric>& headline) {
  std::string result;
  for (const auto& [metric, stage] : headline) {
    result += (result.empty() ? "" : "; ") + metric.name + "=" + number_cell(metric.value);
    if (metric.unit != "1") result += " " + metric.unit;
  }
  return result;
}

std::string run_line(const RunSummary& run) {
  const Reason reason = run.reason.value_or(Reason{});
  return line({text_cell(run.id), text_cell(run.test_case), std::to_string(run.iteration), std::to_string(run.step),
               text_cell(run.test), text_cell(run.workload), text_cell(run.status), text_cell(reason.code),
               text_cell(reason.text), text_cell(run.job), text_cell(joined(run.nodes, " ")), text_cell(run.started),
               text_cell(run.ended), optional_cell(run.seconds), optional_cell(hook_seconds(run)),
               optional_cell(run.hook_share), text_cell(headline_text(run.headline))});
}

std::string metric_line(const RunSummary& run, const StageOutcome& stage, const Metric& metric) {
  return line({text_cell(run.id), text_cell(run.test_case), std::to_string(run.iteration), std::to_string(run.step),
               text_cell(run.test), text_cell(stage.kind), text_cell(stage.name), text_cell(metric.name),
               number_cell(metric.value), text_cell(metric.unit), text_cell(to_string(metric.better)),
               text_cell(label_text(metric.labels))});
}

// The unit belongs to the heading, where the name does not hold it already.
std::string heading(const Column& column) {
  const std::string unit = "(" + column.unit + ")";
  const bool has_unit = column.unit.empty() || column.unit == "1" || column.name.find(unit) != std::string::npos;
  return text_cell(has_unit ? column.name : column.name + " " + unit);
}

void write_table(const Table& table, const fs::path& directory, const std::string& name) {
  results::OutputFile file(directory);
  std::vector<std::string> cells;
  for (const Column& column : table.columns) cells.push_back(heading(column));
  file.write(line(cells));
  for (const auto& row : table.rows) {
    cells.clear();
    for (const Json& cell : row) cells.push_back(json_cell(cell));
    cells.resize(table.columns.size());
    file.write(line(cells));
  }
  file.commit(name);
}

// Writes everything below `directory` and remembers what it wrote.
class Report {
 public:
  Report(const fs::path& results, const fs::path& directory, const std::function<void(const std::string&)>& warn)
      : results_(results), directory_(directory), warn_(warn), runs_(directory), metrics_(directory) {
    runs_.write(line(run_columns));
    metrics_.write(line(metric_columns));
  }

  void add(const RunSummary& run) {
    runs_.write(run_line(run));
    if (run.outcome.empty()) return;
    std::vector<StageOutcome> stages;
    try {
      stages = results::read_outcome(results_, run.outcome);
    } catch (const Error& error) {
      warn_("Run " + run.id + " is left out of the metrics and tables: " + error.message());
      return;
    }
    for (const StageOutcome& stage : stages) {
      for (const Metric& metric : stage.outcome.metrics) metrics_.write(metric_line(run, stage, metric));
      write_tables(stage);
    }
  }

  std::vector<std::string> finish(const std::string& scenario) {
    // The longest suffix leaves room for a name as long as a results directory's can be.
    const std::string name = results::file_name(scenario, 240);
    runs_.commit(name + ".csv");
    metrics_.commit(name + "-metrics.csv");
    files_.insert(files_.begin(), {name + ".csv", name + "-metrics.csv"});
    return std::move(files_);
  }

 private:
  // Two tables of one name get <name>.csv and <name>.2.csv.
  void write_tables(const StageOutcome& stage) {
    if (stage.outcome.tables.empty()) return;
    const std::optional<fs::path> directory = directory_of(stage);
    if (!directory) return;
    std::map<std::string, int> times_used;
    for (const Table& table : stage.outcome.tables) {
      std::string name = results::file_name(table.name);
      if (const int times = ++times_used[name]; times > 1) name += "." + std::to_string(times);
      name += ".csv";
      write_table(table, *directory, name);
      files_.push_back((fs::path(stage.directory) / name).lexically_normal().string());
    }
  }

  // Where the stage's tables go; nothing, with a warning, if the document points somewhere else.
  std::optional<fs::path> directory_of(const StageOutcome& stage) const {
    fs::path directory;
    try {
      directory = results::path_inside(directory_, stage.directory);
    } catch (const Error& error) {
      warn_("The tables of stage " + stage.name + " are left out: " + error.message());
      return std::nullopt;
    }
    std::error_code error;
    fs::create_directories(directory, error);
    if (error) throw Error(Status::failed, directory.string() + " cannot be made: " + error.message() + ".");
    return directory;
  }

  const fs::path& results_;
  const fs::path& directory_;
  const std::function<void(const std::string&)>& warn_;
  results::OutputFile runs_;
  results::OutputFile metrics_;
  std::vector<std::string> files_;
};

}  // namespace

std::vector<std::string> write_report(const fs::path& results, const fs::path& directory,
                                      const std::function<void(const std::string&)>& warn) {
  Report report(results, directory, warn);
  const results::Header header =
      results::read_summary(results, [&](const RunSummary& run, std::size_t) { report.add(run); });
  return report.finish(header.scenario);
}

}  // namespace cloudai::csv
