#include "modules/reporters/csv/csv_report.hpp"

#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "modules/reporters/csv/csv_text.hpp"
#include "modules/reporters/results/iterations.hpp"
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

const std::vector<std::string> iteration_columns = {"case",   "test",   "stage",      "name",   "unit",
                                                    "better", "labels", "iterations", "values", "min",
                                                    "median", "mean",   "max",        "stddev", "not_passed"};

// Tables that scripts of users read under another name, too.
const std::map<std::string, std::string> known_names = {{"nccl_test", "cloudai_nccl_test_csv_report"}};

// Which tables are ours, so that a later report may write them again.
constexpr const char* list_of_tables = ".csv-tables.json";

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

// Of the main stage: "busbw{placement=in;size=8}=0.42 GB/s; time{placement=out;size=8}=91 us".
std::string headline_text(const std::vector<results::HeadlineMetric>& headline) {
  std::string result;
  for (const results::HeadlineMetric& each : headline) {
    if (!results::is_of_main(each)) continue;
    const Metric& metric = each.metric;
    result += (result.empty() ? "" : "; ") + metric.name;
    if (!metric.labels.empty()) result += "{" + label_text(metric.labels) + "}";
    result += "=" + number_cell(metric.value);
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

std::string iteration_line(const results::RepeatedCase& repeated, const results::RepeatedMetric& each) {
  const results::Spread spread = results::spread_of(each.values);
  return line({text_cell(repeated.test_case), text_cell(repeated.test), text_cell(each.stage),
               text_cell(each.metric.name), text_cell(each.metric.unit), text_cell(to_string(each.metric.better)),
               text_cell(label_text(each.metric.labels)), std::to_string(repeated.iterations),
               std::to_string(each.values.size()), number_cell(spread.least), number_cell(spread.median),
               number_cell(spread.mean), number_cell(spread.most), optional_cell(spread.deviation),
               text_cell(joined(repeated.not_passed, "; "))});
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

// The tables that stand in `directory` from an earlier report; none if the list is missing or damaged.
std::set<std::string> tables_written_before(const fs::path& directory) {
  std::ifstream file(directory / list_of_tables);
  const Json list = Json::parse(file, nullptr, false);
  std::set<std::string> tables;
  if (!list.is_array()) return tables;
  for (const Json& table : list) {
    if (table.is_string()) tables.insert(table.get<std::string>());
  }
  return tables;
}

// Writes everything below `directory` and remembers what it wrote.
class Report {
 public:
  Report(const fs::path& results, const fs::path& directory, const std::function<void(const std::string&)>& warn)
      : results_(results),
        directory_(directory),
        warn_(warn),
        runs_(directory),
        metrics_(directory),
        iterations_(directory),
        repeated_([this](const results::RepeatedCase& repeated) { add_iterations(repeated); }),
        own_(tables_written_before(directory)) {
    runs_.write(line(run_columns));
    metrics_.write(line(metric_columns));
    iterations_.write(line(iteration_columns));
  }

  void add(const RunSummary& run) {
    runs_.write(run_line(run));
    repeated_.begin(run);
    if (run.outcome.empty()) return;
    std::vector<StageOutcome> stages;
    try {
      stages = results::read_outcome(results_, run.outcome);
    } catch (const Error& error) {
      warn_("Run " + run.id + " is left out of the metrics and tables: " + error.message());
      return;
    }
    for (const StageOutcome& stage : stages) {
      for (const Metric& metric : stage.outcome.metrics) {
        metrics_.write(metric_line(run, stage, metric));
        repeated_.add(stage.kind + "/" + stage.name, metric);
      }
      write_tables(stage);
    }
  }

  std::vector<std::string> finish(const std::string& scenario) {
    // The longest suffix leaves room for a name as long as a results directory's can be.
    const std::string name = results::file_name(scenario, 240);
    runs_.commit(name + ".csv");
    metrics_.commit(name + "-metrics.csv");
    std::vector<std::string> files{name + ".csv", name + "-metrics.csv"};
    repeated_.end();
    if (has_iterations_) {
      iterations_.commit(name + "-iterations.csv");
      files.push_back(name + "-iterations.csv");
    }
    results::OutputFile list(directory_);
    list.write(Json(files_).dump() + "\n");
    list.commit(list_of_tables);
    files.insert(files.end(), std::make_move_iterator(files_.begin()), std::make_move_iterator(files_.end()));
    return files;
  }

 private:
  void add_iterations(const results::RepeatedCase& repeated) {
    has_iterations_ = true;
    for (const results::RepeatedMetric& metric : repeated.metrics) iterations_.write(iteration_line(repeated, metric));
  }

  void write_tables(const StageOutcome& stage) {
    if (stage.outcome.tables.empty()) return;
    const std::optional<fs::path> directory = directory_of(stage);
    if (!directory) return;
    std::set<std::string> used;
    for (const Table& table : stage.outcome.tables) {
      write_table_as(table, results::file_name(table.name), *directory, stage, used);
      if (const auto known = known_names.find(table.name); known != known_names.end()) {
        write_table_as(table, known->second, *directory, stage, used);
      }
    }
  }

  void write_table_as(const Table& table, const std::string& base, const fs::path& directory, const StageOutcome& stage,
                      std::set<std::string>& used) {
    const std::string name = free_name(base, directory, stage, used);
    write_table(table, directory, name);
    files_.push_back(relative_path(stage, name));
  }

  static std::string relative_path(const StageOutcome& stage, const std::string& name) {
    return (fs::path(stage.directory) / name).lexically_normal().string();
  }

  // <base>.csv, or <base>.2.csv … where another table of the stage has the name, or a file that the program itself
  // wrote: nothing of its output is ever overwritten.
  std::string free_name(const std::string& base, const fs::path& directory, const StageOutcome& stage,
                        std::set<std::string>& used) const {
    std::string name = base + ".csv";
    const auto is_foreign = [&] {
      std::error_code error;
      return fs::exists(fs::symlink_status(directory / name, error)) && own_.count(relative_path(stage, name)) == 0;
    };
    for (int number = 2; used.count(name) != 0 || is_foreign(); ++number) {
      name = base + "." + std::to_string(number) + ".csv";
    }
    used.insert(name);
    return name;
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
  results::OutputFile iterations_;
  results::Iterations repeated_;
  bool has_iterations_ = false;
  std::set<std::string> own_;
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
