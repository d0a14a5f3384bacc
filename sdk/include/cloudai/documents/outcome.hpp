// cloudai.outcome/1: what a workload says of a stage that ended.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cloudai/documents/value.hpp"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

// failed: it ran and is not good. error: it could not be run or judged. inconclusive: it ran and cannot decide.
enum class Verdict { passed, failed, error, inconclusive };
constexpr std::array<std::string_view, 4> enum_names(Verdict) {
  return {"passed", "failed", "error", "inconclusive"};
}

// The published codes a workload gives. The text of a reason is for people, its code is for ever.
namespace reason_code {
inline constexpr const char* exit_status = "exit_status";
inline constexpr const char* signal = "signal";
inline constexpr const char* time_limit = "time_limit";
inline constexpr const char* command_not_found = "command_not_found";
inline constexpr const char* missing_output = "missing_output";
inline constexpr const char* no_measurement = "no_measurement";
inline constexpr const char* incomplete_output = "incomplete_output";
inline constexpr const char* out_of_bounds = "out_of_bounds";
inline constexpr const char* ranks_missing = "ranks_missing";
inline constexpr const char* test_failure = "test_failure";        // the program says so
inline constexpr const char* other_benchmark = "other_benchmark";  // it measured something else than asked for
inline constexpr const char* below_minimum = "below_minimum";      // good, but not as good as the test demands
inline constexpr const char* scheduler_failed = "scheduler_failed";
}  // namespace reason_code

struct Evidence {
  std::string path;         // relative to the stage's directory
  std::optional<int> line;  // counts from 1
};

struct Reason {
  std::string code;
  std::string text;
  std::string hint;
  std::vector<Evidence> evidence;
};

enum class Better { none, higher, lower };
constexpr std::array<std::string_view, 3> enum_names(Better) {
  return {"none", "higher", "lower"};
}

// Units are "GB/s" (10^9 bytes a second), "us", "s", "B" and "1". A value that is not finite is left out of the
// document.
struct Metric {
  std::string name;
  double value = 0;
  std::string unit = "1";
  Better better = Better::none;
  bool headline = false;
  std::map<std::string, std::string> labels;
  double resolution = 0;  // the last digit of the program's output, in the metric's unit; 0: finer than matters
};

enum class ColumnType { integer, number, text };
constexpr std::array<std::string_view, 3> enum_names(ColumnType) {
  return {"integer", "number", "text"};
}

struct Column {
  std::string name;
  std::string unit;  // empty: none
  ColumnType type = ColumnType::text;
};

struct Table {
  std::string name;
  std::vector<Column> columns;
  std::vector<std::vector<Json>> rows;  // a cell that could not be computed is null
};

enum class Scale { linear, log };
constexpr std::array<std::string_view, 2> enum_names(Scale) {
  return {"linear", "log"};
}

// A value worth a line across a plot: what the test demands, what the hardware could do.
struct Reference {
  std::string name;
  double value = 0;
  std::optional<double> x;  // the one x it is for; absent: all
  bool minimum = false;     // a point below it, where it is for that point, has failed
};

// A suggestion to reporters: columns of one of the tables over another.
struct Plot {
  std::string title;
  std::string table;
  std::string x;
  std::vector<std::string> y;
  Scale x_scale = Scale::linear;
  Scale y_scale = Scale::linear;
  std::optional<double> x_max = std::nullopt;  // rows beyond it are left out
  std::vector<std::string> dashed = {};        // those of y whose line is dashed
  // Columns that tell of points that failed, by the column of y they are about: a number that is not 0.
  std::map<std::string, std::string> failed = {};
  std::vector<Reference> references = {};
};

struct Outcome {
  Verdict verdict = Verdict::passed;
  std::optional<Reason> reason;  // required unless passed
  std::vector<Metric> metrics;
  std::vector<Table> tables;
  std::vector<Plot> plots;
  std::map<std::string, std::string> facts;
};

inline void read(const Value& in, Evidence& out) {
  out.path = in.get<std::string>("path");
  out.line = in.find<int>("line");
}
inline void to_json(Json& out, const Evidence& in) {
  out = Json::object();
  out["path"] = in.path;
  put_if(out, "line", in.line);
}

inline void read(const Value& in, Reason& out) {
  out.code = in.get<std::string>("code");
  out.text = in.get<std::string>("text");
  out.hint = in.get_or<std::string>("hint", {});
  out.evidence = in.get_or<std::vector<Evidence>>("evidence", {});
}
inline void to_json(Json& out, const Reason& in) {
  out = Json::object();
  out["code"] = in.code;
  out["text"] = in.text;
  put_unless_empty(out, "hint", in.hint);
  put_unless_empty(out, "evidence", in.evidence);
}

inline void read(const Value& in, Metric& out) {
  out.name = in.get<std::string>("name");
  out.value = in.get<double>("value");
  out.unit = in.get<std::string>("unit");
  out.better = in.get_or("better", Better::none);
  out.headline = in.get_or("headline", false);
  out.labels = in.get_or<std::map<std::string, std::string>>("labels", {});
  out.resolution = in.get_or("resolution", 0.0);
}
inline void to_json(Json& out, const Metric& in) {
  out = Json::object();
  out["name"] = in.name;
  out["value"] = in.value;
  out["unit"] = in.unit;
  out["better"] = to_string(in.better);
  if (in.headline) out["headline"] = true;
  out["labels"] = in.labels;
  if (in.resolution > 0) out["resolution"] = in.resolution;
}

inline void read(const Value& in, Column& out) {
  out.name = in.get<std::string>("name");
  out.unit = in.get_or<std::string>("unit", {});
  out.type = in.get<ColumnType>("type");
}
inline void to_json(Json& out, const Column& in) {
  out = Json::object();
  out["name"] = in.name;
  put_unless_empty(out, "unit", in.unit);
  out["type"] = to_string(in.type);
}

inline void read(const Value& in, Table& out) {
  out.name = in.get<std::string>("name");
  out.columns = in.get<std::vector<Column>>("columns");
  out.rows = in.get<std::vector<std::vector<Json>>>("rows");
}
inline void to_json(Json& out, const Table& in) {
  out = Json::object();
  out["name"] = in.name;
  out["columns"] = in.columns;
  out["rows"] = in.rows;
}

inline void read(const Value& in, Reference& out) {
  out.name = in.get<std::string>("name");
  out.value = in.get<double>("value");
  out.x = in.find<double>("x");
  out.minimum = in.get_or("minimum", false);
}
inline void to_json(Json& out, const Reference& in) {
  out = Json{{"name", in.name}, {"value", in.value}};
  put_if(out, "x", in.x);
  if (in.minimum) out["minimum"] = true;
}

inline void read(const Value& in, Plot& out) {
  out.title = in.get<std::string>("title");
  out.table = in.get<std::string>("table");
  out.x = in.get<std::string>("x");
  out.y = in.get<std::vector<std::string>>("y");
  out.x_scale = in.get_or("x_scale", Scale::linear);
  out.y_scale = in.get_or("y_scale", Scale::linear);
  out.x_max = in.find<double>("x_max");
  out.dashed = in.get_or<std::vector<std::string>>("dashed", {});
  out.failed = in.get_or<std::map<std::string, std::string>>("failed", {});
  out.references = in.get_or<std::vector<Reference>>("references", {});
}
inline void to_json(Json& out, const Plot& in) {
  out = Json::object();
  out["title"] = in.title;
  out["table"] = in.table;
  out["x"] = in.x;
  out["y"] = in.y;
  out["x_scale"] = to_string(in.x_scale);
  out["y_scale"] = to_string(in.y_scale);
  put_if(out, "x_max", in.x_max);
  put_unless_empty(out, "dashed", in.dashed);
  put_unless_empty(out, "failed", in.failed);
  put_unless_empty(out, "references", in.references);
}

inline void read(const Value& in, Outcome& out) {
  out.verdict = in.get<Verdict>("verdict");
  out.reason = in.find<Reason>("reason");
  out.metrics = in.get_or<std::vector<Metric>>("metrics", {});
  out.tables = in.get_or<std::vector<Table>>("tables", {});
  out.plots = in.get_or<std::vector<Plot>>("plots", {});
  out.facts = in.get_or<std::map<std::string, std::string>>("facts", {});
}
inline void to_json(Json& out, const Outcome& in) {
  out = Json::object();
  out["schema"] = "cloudai.outcome/1";
  out["verdict"] = to_string(in.verdict);
  put_if(out, "reason", in.reason);
  out["metrics"] = Json::array();
  for (const Metric& metric : in.metrics) {
    if (std::isfinite(metric.value)) out["metrics"].push_back(metric);
  }
  out["tables"] = in.tables;
  put_unless_empty(out, "plots", in.plots);
  put_unless_empty(out, "facts", in.facts);
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
