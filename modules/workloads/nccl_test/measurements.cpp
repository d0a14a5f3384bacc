#include "modules/workloads/nccl_test/measurements.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "modules/workloads/nccl_test/facts.hpp"
#include "modules/workloads/nccl_test/text.hpp"

namespace cloudai::nccl_test {

namespace {

constexpr const char* table_name = "nccl_test";
constexpr const char* size_column = "Size (B)";
constexpr std::array<const char*, 2> time_columns{"Time (us) Out-of-place", "Time (us) In-place"};
constexpr std::array<const char*, 2> busbw_columns{"Busbw (GB/s) Out-of-place", "Busbw (GB/s) In-place"};
constexpr std::array<const char*, 2> wrong_columns{"#Wrong Out-of-place", "#Wrong In-place"};

// The largest message whose time is latency rather than bandwidth.
constexpr std::int64_t largest_small_message = 65536;

template <class T>
Json cell(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json text_cell(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json wrong_cell(const std::optional<double>& wrong) {
  return wrong && std::abs(*wrong) < 9e15 ? Json(static_cast<std::int64_t>(*wrong)) : Json();
}

// The columns, in the order and under the names of the CSV report users know.
std::vector<Column> columns() {
  const auto text = ColumnType::text;
  const auto integer = ColumnType::integer;
  const auto number = ColumnType::number;
  return {{size_column, "", integer},
          {"Count", "", integer},
          {"Type", "", text},
          {"Redop", "", text},
          {"Root", "", integer},
          {time_columns[0], "", number},
          {"Algbw (GB/s) Out-of-place", "", number},
          {busbw_columns[0], "", number},
          {wrong_columns[0], "", integer},
          {time_columns[1], "", number},
          {"Algbw (GB/s) In-place", "", number},
          {busbw_columns[1], "", number},
          {wrong_columns[1], "", integer},
          {"GPU Type", "", text},
          {"Devices per Node", "", integer},
          {"Ranks", "", integer},
          {"Size Human-readable", "", text}};
}

Table table_of(const Output& output) {
  Table table;
  table.name = table_name;
  table.columns = columns();
  const Json gpu = text_cell(gpu_type(output));
  const std::int64_t devices = devices_per_node(output);
  for (const Row& row : output.rows) {
    std::vector<Json> cells{row.size, row.count, text_cell(row.type), text_cell(row.redop), cell(row.root)};
    for (const Side& side : row.sides) {
      cells.insert(cells.end(), {cell(side.time_us), cell(side.algbw), cell(side.busbw), wrong_cell(side.wrong)});
    }
    cells.insert(cells.end(), {gpu, devices, output.devices.size(), human_size(row.size)});
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// Least, mean and most of what several rows of one size say.
struct Spread {
  double least = 0;
  double most = 0;
  double sum = 0;
  int count = 0;

  void add(const std::optional<double>& value) {
    if (!value) return;
    least = count == 0 ? *value : std::min(least, *value);
    most = count == 0 ? *value : std::max(most, *value);
    sum += *value;
    ++count;
  }

  void append_to(std::vector<Json>& cells) const {
    if (count == 0) {
      cells.insert(cells.end(), 3, Json());
    } else {
      cells.insert(cells.end(), {least, sum / count, most});
    }
  }
};

Table spread_table(const Output& output) {
  Table table;
  table.name = "nccl_test_by_size";
  table.columns = {{size_column, "", ColumnType::integer}, {"Rows", "", ColumnType::integer}};
  for (const char* quantity : {time_columns[0], busbw_columns[0], time_columns[1], busbw_columns[1]}) {
    for (const char* which : {" Min", " Mean", " Max"}) {
      table.columns.push_back({std::string(quantity) + which, "", ColumnType::number});
    }
  }
  struct Spreads {
    int rows = 0;
    std::array<Spread, 4> quantities;
  };
  std::map<std::int64_t, Spreads> sizes;
  for (const Row& row : output.rows) {
    Spreads& spreads = sizes[row.size];
    ++spreads.rows;
    for (std::size_t side = 0; side < row.sides.size(); ++side) {
      spreads.quantities[2 * side].add(row.sides[side].time_us);
      spreads.quantities[2 * side + 1].add(row.sides[side].busbw);
    }
  }
  for (const auto& [size, spreads] : sizes) {
    std::vector<Json> cells{size, spreads.rows};
    for (const Spread& quantity : spreads.quantities) quantity.append_to(cells);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Plot plot_of(const char* title, const std::array<const char*, 2>& columns, Scale y_scale) {
  Plot plot{title, table_name, size_column, {columns.begin(), columns.end()}, Scale::log, y_scale};
  plot.dashed = {columns[1]};
  for (std::size_t side = 0; side < columns.size(); ++side) plot.failed[columns[side]] = wrong_columns[side];
  return plot;
}

// Rows that measure the same thing: several where the sweep was run in cycles.
struct Series {
  std::int64_t size;
  std::string type;
  std::string redop;
  std::optional<std::int64_t> root;

  auto key() const { return std::tie(size, type, redop, root); }
  bool operator<(const Series& other) const { return key() < other.key(); }
};

struct Mean {
  double sum = 0;
  int count = 0;

  void add(const std::optional<double>& value) {
    if (!value) return;
    sum += *value;
    ++count;
  }
};

// Means of one placement: time, algbw, busbw.
using Means = std::array<Mean, 3>;

struct MetricKind {
  const char* name;
  const char* unit;
  Better better;
  double resolution;
};

// Bandwidths are printed with two decimals: those of small messages are 0.00 or 0.01, and which says nothing.
constexpr double bandwidth_resolution = 0.01;

std::array<MetricKind, 3> metric_kinds(const Output& output) {
  // CPU time is another quantity and must not be compared with the time a call takes.
  return {{{output.cpu_time ? "cpu_time" : "time", "us", Better::lower, 0},
           {"algbw", "GB/s", Better::higher, bandwidth_resolution},
           {"busbw", "GB/s", Better::higher, bandwidth_resolution}}};
}

// Which of type, redop and root tell rows of one size apart, and must therefore be labels.
struct Distinctions {
  explicit Distinctions(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      types.insert(row.type);
      redops.insert(row.redop);
      roots.insert(row.root);
    }
  }

  std::map<std::string, std::string> labels(const Series& series) const {
    std::map<std::string, std::string> result;
    if (types.size() > 1) result["type"] = series.type;
    if (redops.size() > 1) result["redop"] = series.redop;
    if (roots.size() > 1 && series.root) result["root"] = std::to_string(*series.root);
    return result;
  }

  std::set<std::string> types;
  std::set<std::string> redops;
  std::set<std::optional<std::int64_t>> roots;
};

}  // namespace

bool is_alone(const Output& output) {
  return output.devices.size() == 1 && !output.device_list_cut;
}

void add_tables(const Output& output, Outcome& outcome) {
  if (output.rows.empty()) return;
  outcome.tables.push_back(table_of(output));
  std::set<std::int64_t> sizes;
  for (const Row& row : output.rows) sizes.insert(row.size);
  if (sizes.size() < output.rows.size()) outcome.tables.push_back(spread_table(output));
  if (is_alone(output)) return;
  outcome.plots.push_back(plot_of(bandwidth_plot, busbw_columns, Scale::linear));
  const auto small = std::count_if(sizes.begin(), sizes.end(),
                                   [](std::int64_t size) { return size > 0 && size <= largest_small_message; });
  if (small < 2) return;
  outcome.plots.push_back(plot_of("Time of small messages", time_columns, Scale::log));
  outcome.plots.back().x_max = largest_small_message;
}

void add_metrics(const Output& output, const std::string& collective, Outcome& outcome) {
  std::map<Series, std::array<Means, 2>> series_means;
  for (const Row& row : output.rows) {
    // A message of no bytes has no bandwidth, and programs print several of them.
    if (row.size == 0) continue;
    auto& means = series_means[{row.size, row.type, row.redop, row.root}];
    for (std::size_t side = 0; side < means.size(); ++side) {
      means[side][0].add(row.sides[side].time_us);
      means[side][1].add(row.sides[side].algbw);
      means[side][2].add(row.sides[side].busbw);
    }
  }
  if (series_means.empty()) return;
  const bool alone = is_alone(output);
  if (alone) outcome.facts["note"] = "one rank: nothing is sent, so that there is no bus bandwidth";
  const Distinctions distinctions(output.rows);
  const std::int64_t smallest = series_means.begin()->first.size;
  const std::int64_t largest = series_means.rbegin()->first.size;
  const auto kinds = metric_kinds(output);
  for (const auto& [series, sides] : series_means) {
    for (std::size_t side = 0; side < sides.size(); ++side) {
      for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        const bool bus = kind == 2;
        const Mean& mean = sides[side][kind];
        if (mean.count == 0 || (alone && bus)) continue;
        Metric metric{kinds[kind].name, mean.sum / mean.count, kinds[kind].unit, kinds[kind].better, false, {}};
        const bool latency = kind == 0 && side == out_of_place && series.size == smallest;
        metric.headline = (bus && series.size == largest) || (latency && smallest <= largest_small_message);
        metric.labels = distinctions.labels(series);
        metric.labels["collective"] = collective;
        metric.resolution = kinds[kind].resolution;
        metric.labels["size"] = std::to_string(series.size);
        metric.labels["placement"] = side == out_of_place ? "out" : "in";
        outcome.metrics.push_back(std::move(metric));
      }
    }
  }
}

}  // namespace cloudai::nccl_test
