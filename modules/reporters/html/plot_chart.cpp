#include "modules/reporters/html/plot_chart.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "modules/reporters/html/format.hpp"

namespace cloudai::html {

namespace {

const Table* find_table(const std::vector<Table>& tables, const std::string& name) {
  for (const Table& table : tables) {
    if (table.name == name) return &table;
  }
  return nullptr;
}

std::optional<std::size_t> find_column(const Table& table, const std::string& name) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].name == name) return i;
  }
  return std::nullopt;
}

std::optional<double> number_at(const std::vector<Json>& row, std::size_t index) {
  if (index >= row.size() || !row[index].is_number()) return std::nullopt;
  return row[index].get<double>();
}

std::string no_column(const Table& table, const std::string& name) {
  return "The table '" + table.name + "' has no column '" + name + "'.";
}

AxisScale axis_scale(Scale scale, const std::string& unit) {
  if (scale == Scale::linear) return AxisScale::linear;
  return unit == "B" ? AxisScale::log2 : AxisScale::log10;
}

std::string unit_of(const Column& column) {
  return unit_of_column(column.name, column.unit);
}

// Of values in order; of an even number the mean of the middle two.
double median(const std::vector<double>& values) {
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

bool has_repeated_x(const std::vector<Point>& points) {
  std::vector<double> xs;
  xs.reserve(points.size());
  for (const Point& point : points) xs.push_back(point.x);
  std::sort(xs.begin(), xs.end());
  return std::adjacent_find(xs.begin(), xs.end()) != xs.end();
}

void put_medians(const std::vector<Point>& points, Series& series) {
  std::map<double, std::vector<double>> groups;
  for (const Point& point : points) groups[point.x].push_back(point.y);
  for (auto& [x, values] : groups) {
    std::sort(values.begin(), values.end());
    series.points.push_back({x, median(values)});
    series.band.push_back({x, values.front(), values.back()});
  }
}

}  // namespace

PlotChart::PlotChart(Plot plot) : plot_(std::move(plot)), gathered_(plot_.y.size()) {
  chart_.title = plot_.title;
  for (std::size_t i = 0; i < plot_.y.size(); ++i) {
    const bool dashed = std::find(plot_.dashed.begin(), plot_.dashed.end(), plot_.y[i]) != plot_.dashed.end();
    chart_.series.push_back({plot_.y[i], {}, {i, dashed ? Stroke::dashed : Stroke::solid}, {}});
  }
  add_references(plot_.references);
}

std::string PlotChart::add(const std::vector<Table>& tables) {
  const Table* const table = find_table(tables, plot_.table);
  if (table == nullptr) return "The outcome has no table '" + plot_.table + "'.";
  const auto x = find_column(*table, plot_.x);
  if (!x) return no_column(*table, plot_.x);
  for (const std::string& name : plot_.y) {
    if (!find_column(*table, name)) return no_column(*table, name);
  }
  set_units(*table, *x);
  const std::size_t before = values_;
  for (std::size_t i = 0; i < plot_.y.size(); ++i) add_column(*table, *x, i);
  return values_ == before ? "There is no measurement to draw." : std::string();
}

void PlotChart::set_units(const Table& table, std::size_t x) {
  chart_.x_unit = unit_of(table.columns[x]);
  chart_.x_title = without_unit(table.columns[x].name, chart_.x_unit);
  chart_.x_scale = axis_scale(plot_.x_scale, chart_.x_unit);
  chart_.y_unit = unit_of(table.columns[*find_column(table, plot_.y.front())]);
  for (const std::string& name : plot_.y) {
    if (unit_of(table.columns[*find_column(table, name)]) != chart_.y_unit) chart_.y_unit.clear();
  }
  chart_.y_scale = axis_scale(plot_.y_scale, chart_.y_unit);
}

void PlotChart::add_column(const Table& table, std::size_t x, std::size_t series) {
  const std::size_t y = *find_column(table, plot_.y[series]);
  const auto failed_name = plot_.failed.find(plot_.y[series]);
  const auto failed = failed_name == plot_.failed.end() ? std::nullopt : find_column(table, failed_name->second);
  for (const auto& row : table.rows) {
    const std::optional<double> x_value = number_at(row, x);
    const std::optional<double> y_value = number_at(row, y);
    if (!x_value || !y_value || (plot_.x_max && *x_value > *plot_.x_max)) continue;
    const Point point{*x_value, *y_value};
    gathered_[series].push_back(point);
    ++values_;
    const double wrong = failed ? number_at(row, *failed).value_or(0) : 0;
    if (wrong != 0) mark(point, failed_name->second + " " + number_text(wrong));
    mark_below_minimum(point);
  }
}

void PlotChart::mark_below_minimum(const Point& point) {
  for (const Reference& reference : references_) {
    if (!reference.minimum || point.y >= reference.value || (reference.x && *reference.x != point.x)) continue;
    mark(point, "below " + reference.name + " " + quantity_text(reference.value, chart_.y_unit));
  }
}

void PlotChart::mark(const Point& point, const std::string& why) {
  constexpr std::size_t most_marks = 200;
  if (chart_.marks.size() == most_marks) return;
  chart_.marks.push_back(
      {point.x, point.y,
       quantity_text(point.y, chart_.y_unit) + " at " + quantity_text(point.x, chart_.x_unit) + ": " + why});
}

void PlotChart::add_references(const std::vector<Reference>& references) {
  constexpr std::size_t most_references = 8;
  for (const Reference& reference : references) {
    const bool known = std::any_of(references_.begin(), references_.end(), [&](const Reference& other) {
      return other.name == reference.name && other.value == reference.value && other.x == reference.x;
    });
    if (known || references_.size() == most_references) continue;
    references_.push_back(reference);
    chart_.reference_lines.push_back({reference.name, reference.value, reference.x});
  }
}

Chart PlotChart::chart() const {
  Chart chart = chart_;
  for (std::size_t i = 0; i < gathered_.size(); ++i) {
    if (has_repeated_x(gathered_[i])) {
      put_medians(gathered_[i], chart.series[i]);
    } else {
      chart.series[i].points = gathered_[i];
    }
  }
  fit_to_axes(chart);
  return chart;
}

}  // namespace cloudai::html
