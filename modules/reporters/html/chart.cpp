#include "modules/reporters/html/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "modules/reporters/html/axis.hpp"
#include "modules/reporters/html/format.hpp"

namespace cloudai::html {

namespace {

// The picture, in its own units. Text is at least 12 of them, so that it is readable where a chart is half as wide as a
// page.
constexpr double width = 560;
constexpr double height = 320;
constexpr double left = 66;
constexpr double right = 32;  // half of the widest label: the last tick may stand at the very end
constexpr double top = 28;
constexpr double bottom = 50;

// A table of any length makes a page of bounded length.
constexpr std::size_t most_points = 1000;

const Column* find_column(const Table& table, const std::string& name, std::size_t& index) {
  for (index = 0; index < table.columns.size(); ++index) {
    if (table.columns[index].name == name) return &table.columns[index];
  }
  return nullptr;
}

std::optional<double> number_at(const std::vector<Json>& row, std::size_t index) {
  if (index >= row.size() || !row[index].is_number()) return std::nullopt;
  return row[index].get<double>();
}

// What axes cannot be computed for without overflow.
bool is_extreme(double value) {
  return value != 0 && !(std::abs(value) < 1e300 && std::abs(value) > 1e-300);
}

// Every n-th point, and the last, where there are more than a chart can show.
void thin(std::vector<Point>& points) {
  if (points.size() <= most_points) return;
  const std::size_t step = (points.size() + most_points - 1) / most_points;
  std::vector<Point> kept;
  for (std::size_t i = 0; i < points.size(); i += step) kept.push_back(points[i]);
  if ((points.size() - 1) % step != 0) kept.push_back(points.back());
  points = std::move(kept);
}

Series make_series(const Table& table, std::size_t x, std::size_t y, Chart& chart) {
  Series series{table.columns[y].name, {}};
  for (const auto& row : table.rows) {
    const std::optional<double> x_value = number_at(row, x);
    const std::optional<double> y_value = number_at(row, y);
    if (!x_value || !y_value) continue;
    const bool impossible = (chart.x_scale == Scale::log && *x_value <= 0) ||
                            (chart.y_scale == Scale::log && *y_value <= 0) || is_extreme(*x_value) ||
                            is_extreme(*y_value);
    if (impossible) {
      ++chart.left_out;
    } else {
      series.points.push_back({*x_value, *y_value});
    }
  }
  thin(series.points);
  return series;
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

std::string coordinate(double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.1f", value);
  return buffer.data();
}

double x_of(const Axis& axis, double value) {
  return left + axis.position(value) * (width - left - right);
}
double y_of(const Axis& axis, double value) {
  return height - bottom - axis.position(value) * (height - top - bottom);
}

std::string text(double x, double y, const char* anchor, const std::string& content) {
  return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" text-anchor=\"" + anchor + "\">" +
         escape(content) + "</text>";
}

std::string segment(const char* kind, double x1, double y1, double x2, double y2) {
  return std::string("<line class=\"") + kind + "\" x1=\"" + coordinate(x1) + "\" y1=\"" + coordinate(y1) + "\" x2=\"" +
         coordinate(x2) + "\" y2=\"" + coordinate(y2) + "\"/>";
}

std::string draw_axes(const Chart& chart, const Axis& x_axis, const Axis& y_axis) {
  std::string svg = "<g class=\"axis\">";
  for (const Tick& tick : y_axis.ticks) {
    const double y = y_of(y_axis, tick.value);
    svg += segment("grid", left, y, width - right, y) + text(left - 8, y + 4, "end", tick.label);
  }
  for (const Tick& tick : x_axis.ticks) {
    const double x = x_of(x_axis, tick.value);
    svg += segment("tick", x, height - bottom, x, height - bottom + 5);
    svg += text(x, height - bottom + 19, "middle", tick.label);
  }
  svg += segment("base", left, height - bottom, width - right, height - bottom);
  if (!chart.y_unit.empty()) svg += text(left - 8, top - 12, "end", unit_text(chart.y_unit));
  const bool names_unit = !chart.x_unit.empty() && chart.x_unit != "B";
  svg += text((left + width - right) / 2, height - 10, "middle",
              names_unit ? chart.x_title + " (" + unit_text(chart.x_unit) + ")" : chart.x_title);
  return svg + "</g>";
}

// A different shape for each series, so that they can be told apart without colour.
std::string marker(std::size_t look, double x, double y) {
  constexpr std::array<const char*, series_looks> shapes = {"m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
                                                            "m-3.2 -3.2h6.4v6.4h-6.4z",
                                                            "m0 -4.4l4.4 4.4l-4.4 4.4l-4.4 -4.4z",
                                                            "m0 -4.2l4 7h-8z",
                                                            "m0 4.2l4 -7h-8z",
                                                            "m-1.2 -4h2.4v8h-2.4z"};
  return "M" + coordinate(x) + " " + coordinate(y) + shapes.at(look);
}

// A line only where x never goes back: a table of repeated measurements is points.
std::string draw_series(const Series& series, std::size_t index, const Chart& chart, const Axis& x_axis,
                        const Axis& y_axis) {
  const std::size_t look = index % series_looks;
  const bool ordered = std::is_sorted(series.points.begin(), series.points.end(),
                                      [](const Point& a, const Point& b) { return a.x < b.x; });
  std::string polyline;
  std::string markers;
  for (const Point& point : series.points) {
    const double x = x_of(x_axis, point.x);
    const double y = y_of(y_axis, point.y);
    if (ordered) polyline += (polyline.empty() ? "" : " ") + coordinate(x) + "," + coordinate(y);
    markers += "<path d=\"" + marker(look, x, y) + "\"><title>" +
               escape(series.name + ": " + quantity_text(point.y, chart.y_unit) + " at " +
                      quantity_text(point.x, chart.x_unit)) +
               "</title></path>";
  }
  std::string svg = "<g class=\"series series-" + std::to_string(look) + "\">";
  if (!polyline.empty()) svg += "<polyline points=\"" + polyline + "\"/>";
  return svg + markers + "</g>";
}

}  // namespace

ChartResult make_chart(const Plot& plot, const std::vector<Table>& tables) {
  const auto table =
      std::find_if(tables.begin(), tables.end(), [&](const Table& candidate) { return candidate.name == plot.table; });
  if (table == tables.end()) return {std::nullopt, "The outcome has no table '" + plot.table + "'."};
  std::size_t x = 0;
  const Column* x_column = find_column(*table, plot.x, x);
  if (x_column == nullptr) return {std::nullopt, "The table '" + plot.table + "' has no column '" + plot.x + "'."};

  const std::string x_unit = unit_of_column(x_column->name, x_column->unit);
  Chart chart{plot.title, without_unit(x_column->name, x_unit), x_unit, {}, plot.x_scale, plot.y_scale, {}, 0};
  bool has_points = false;
  for (const std::string& name : plot.y) {
    std::size_t y = 0;
    const Column* column = find_column(*table, name, y);
    if (column == nullptr) return {std::nullopt, "The table '" + plot.table + "' has no column '" + name + "'."};
    const std::string y_unit = unit_of_column(column->name, column->unit);
    const bool same_unit = chart.series.empty() || chart.y_unit == y_unit;
    chart.y_unit = same_unit ? y_unit : std::string();
    chart.series.push_back(make_series(*table, x, y, chart));
    has_points = has_points || !chart.series.back().points.empty();
  }
  if (!has_points) return {std::nullopt, "There is no measurement to draw."};
  return {std::move(chart), {}};
}

std::string draw(const Chart& chart) {
  Range x_range;
  Range y_range;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) {
      x_range.add(point.x);
      y_range.add(point.y);
    }
  }
  const Axis x_axis = make_axis(chart.x_scale, x_range.low, x_range.high, chart.x_unit == "B", false);
  const Axis y_axis = make_axis(chart.y_scale, y_range.low, y_range.high, chart.y_unit == "B", true);

  std::string svg = "<svg class=\"chart\" viewBox=\"0 0 " + coordinate(width) + " " + coordinate(height) +
                    "\" role=\"img\" aria-label=\"" + escape(chart.title) + "\">";
  svg += draw_axes(chart, x_axis, y_axis);
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    svg += draw_series(chart.series[i], i, chart, x_axis, y_axis);
  }
  return svg + "</svg>";
}

}  // namespace cloudai::html
