// The picture of a chart. Every text in it is escaped here.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "modules/reporters/html/axis.hpp"
#include "modules/reporters/html/chart.hpp"
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

struct Axes {
  Axis x;
  Axis y;

  double left_of(double value) const { return left + x.position(value) * (width - left - right); }
  double top_of(double value) const { return height - bottom - y.position(value) * (height - top - bottom); }
};

std::string coordinate(double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.1f", value);
  return buffer.data();
}

std::string pair(double x, double y) {
  return coordinate(x) + "," + coordinate(y);
}

std::string text(double x, double y, const char* anchor, const std::string& content) {
  return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" text-anchor=\"" + anchor + "\">" +
         escape(content) + "</text>";
}

std::string segment(const char* kind, double x1, double y1, double x2, double y2) {
  return std::string("<line class=\"") + kind + "\" x1=\"" + coordinate(x1) + "\" y1=\"" + coordinate(y1) + "\" x2=\"" +
         coordinate(x2) + "\" y2=\"" + coordinate(y2) + "\"/>";
}

std::string draw_axes(const Chart& chart, const Axes& axes) {
  std::string svg = "<g class=\"axis\">";
  for (const Tick& tick : axes.y.ticks) {
    const double y = axes.top_of(tick.value);
    svg += segment("grid", left, y, width - right, y) + text(left - 8, y + 4, "end", tick.label);
  }
  for (const Tick& tick : axes.x.ticks) {
    const double x = axes.left_of(tick.value);
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

// A different shape for each colour.
std::string marker(std::size_t colour, double x, double y) {
  constexpr std::array<const char*, series_colours> shapes = {"m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
                                                              "m-3.2 -3.2h6.4v6.4h-6.4z",
                                                              "m0 -4.4l4.4 4.4l-4.4 4.4l-4.4 -4.4z",
                                                              "m0 -4.2l4 7h-8z",
                                                              "m0 4.2l4 -7h-8z",
                                                              "m-1.2 -4h2.4v8h-2.4z"};
  return "M" + coordinate(x) + " " + coordinate(y) + shapes.at(colour);
}

std::string classes(const Look& look) {
  return "series series-" + std::to_string(look.colour % series_colours) +
         (look.stroke == Stroke::dashed ? " dashed" : "");
}

std::string draw_band(const Series& series, const Axes& axes) {
  if (series.band.empty()) return {};
  std::string points;
  const auto add = [&](const Range& range, double y) { points += pair(axes.left_of(range.x), axes.top_of(y)) + " "; };
  std::for_each(series.band.begin(), series.band.end(), [&](const Range& range) { add(range, range.high); });
  std::for_each(series.band.rbegin(), series.band.rend(), [&](const Range& range) { add(range, range.low); });
  points.pop_back();
  return "<polygon class=\"band\" points=\"" + points + "\"/>";
}

// A line only where x never goes back: a table of repeated measurements is points.
std::string draw_line(const Series& series, const Axes& axes) {
  const bool ordered = std::is_sorted(series.points.begin(), series.points.end(),
                                      [](const Point& a, const Point& b) { return a.x < b.x; });
  if (!ordered || series.points.size() < 2) return {};
  std::string points;
  for (const Point& point : series.points) {
    points += (points.empty() ? "" : " ") + pair(axes.left_of(point.x), axes.top_of(point.y));
  }
  return "<polyline points=\"" + points + "\"/>";
}

std::string draw_series(const Series& series, const Chart& chart, const Axes& axes) {
  std::string svg = "<g class=\"" + classes(series.look) + "\">" + draw_band(series, axes) + draw_line(series, axes);
  for (const Point& point : series.points) {
    svg += "<path d=\"" + marker(series.look.colour % series_colours, axes.left_of(point.x), axes.top_of(point.y)) +
           "\"><title>" +
           escape(series.name + ": " + quantity_text(point.y, chart.y_unit) + " at " +
                  quantity_text(point.x, chart.x_unit)) +
           "</title></path>";
  }
  return svg + "</g>";
}

// Its name stands on the side away from the curves' high end, where most charts have room.
std::string draw_reference(const ReferenceLine& line, const Chart& chart, const Axes& axes) {
  const double y = axes.top_of(line.y);
  std::string svg = "<g class=\"reference\">" + segment("rule", left, y, width - right, y);
  if (line.x && axes.x.position(*line.x) >= 0 && axes.x.position(*line.x) <= 1) {
    svg += "<path d=\"M" + coordinate(axes.left_of(*line.x)) + " " + coordinate(y) + "l-5 -8h10z\"/>";
  }
  svg += text(left + 6, y - 5, "start", line.name + " " + quantity_text(line.y, chart.y_unit));
  return svg + "</g>";
}

std::string draw_mark(const Mark& mark, const Axes& axes) {
  return "<path d=\"M" + coordinate(axes.left_of(mark.x)) + " " + coordinate(axes.top_of(mark.y)) +
         "m-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0m3.5 -4.5l9 9m0 -9l-9 9\"><title>" + escape(mark.text) +
         "</title></path>";
}

std::string series_description(const Series& series, const Chart& chart) {
  const auto at = [&](const Point& point) {
    return quantity_text(point.y, chart.y_unit) + " at " + quantity_text(point.x, chart.x_unit);
  };
  const auto [least, most] = std::minmax_element(series.points.begin(), series.points.end(),
                                                 [](const Point& a, const Point& b) { return a.y < b.y; });
  return series.name + " from " + at(*least) + " to " + at(*most);
}

// What somebody hears who does not see the picture.
std::string description(const Chart& chart) {
  std::string result = chart.title + ".";
  for (const Series& series : chart.series) {
    if (!series.points.empty()) result += " " + series_description(series, chart) + ".";
  }
  for (const ReferenceLine& line : chart.reference_lines) {
    result += " " + line.name + " " + quantity_text(line.y, chart.y_unit) + ".";
  }
  if (!chart.marks.empty()) result += " Failed: " + count_text(chart.marks.size(), "point") + ".";
  return result;
}

}  // namespace

std::string draw(const Chart& chart) {
  const Axes axes{x_axis(chart), y_axis(chart)};
  std::string svg = "<svg class=\"chart\" viewBox=\"0 0 " + coordinate(width) + " " + coordinate(height) +
                    "\" role=\"img\" aria-label=\"" + escape(description(chart)) + "\">";
  svg += draw_axes(chart, axes);
  for (const ReferenceLine& line : chart.reference_lines) svg += draw_reference(line, chart, axes);
  for (const Series& series : chart.series) svg += draw_series(series, chart, axes);
  if (!chart.marks.empty()) {
    svg += "<g class=\"marks\">";
    for (const Mark& mark : chart.marks) svg += draw_mark(mark, axes);
    svg += "</g>";
  }
  return svg + "</svg>";
}

}  // namespace cloudai::html
