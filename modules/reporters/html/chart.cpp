#include "modules/reporters/html/chart.hpp"

#include <algorithm>
#include <cmath>

#include "cloudai/documents/value.hpp"
#include "modules/reporters/html/axis.hpp"
#include "modules/reporters/html/format.hpp"
#include "modules/reporters/html/page_frame.hpp"

namespace cloudai::html {

namespace {

// A table of any length makes a page of bounded length.
constexpr std::size_t most_points = 1000;

// What axes cannot be computed for without overflow.
bool is_extreme(double value) {
  return !std::isfinite(value) || (value != 0 && !(std::abs(value) < 1e300 && std::abs(value) > 1e-300));
}

bool can_stand_on(AxisScale scale, double value) {
  return !is_extreme(value) && (scale == AxisScale::linear || value > 0);
}

template <class T, class CanStand>
std::size_t take_out(std::vector<T>& items, CanStand can_stand) {
  const auto end = std::remove_if(items.begin(), items.end(), [&](const T& item) { return !can_stand(item); });
  const auto count = static_cast<std::size_t>(items.end() - end);
  items.erase(end, items.end());
  return count;
}

// Every n-th, and the last, where there are more than a chart can show.
template <class T>
void thin(std::vector<T>& items) {
  if (items.size() <= most_points) return;
  const std::size_t step = (items.size() + most_points - 1) / most_points;
  std::vector<T> kept;
  for (std::size_t i = 0; i < items.size(); i += step) kept.push_back(items[i]);
  if ((items.size() - 1) % step != 0) kept.push_back(items.back());
  items = std::move(kept);
}

std::string classes(const Look& look) {
  return "series series-" + std::to_string(look.colour % series_colours) +
         (look.stroke == Stroke::dashed ? " dashed" : "");
}

std::string sample(const std::string& kind, const char* path, const std::string& name) {
  return "<li><svg class=\"" + kind + "\" width=\"36\" height=\"16\" aria-hidden=\"true\"><path d=\"" + path +
         "\"/></svg>" + escape(name) + "</li>";
}

std::string note(const std::string& text) {
  return "<p class=\"quiet\">" + text + "</p>\n";
}

bool has_band(const Chart& chart) {
  return std::any_of(chart.series.begin(), chart.series.end(), [](const Series& each) { return !each.band.empty(); });
}

std::string name_of(AxisScale scale) {
  return scale == AxisScale::linear ? "linear" : scale == AxisScale::log2 ? "log2" : "log10";
}

Json tick_values(const Axis& axis) {
  Json values = Json::array();
  for (const Tick& tick : axis.ticks) values.push_back(tick.value);
  return values;
}

Json series_data(const Series& series) {
  Json data = {{"name", printable(series.name)}, {"colour", series.look.colour % series_colours}};
  data["dashed"] = series.look.stroke == Stroke::dashed;
  data["points"] = Json::array();
  for (const Point& point : series.points) data["points"].push_back({point.x, point.y});
  data["band"] = Json::array();
  for (const Range& range : series.band) data["band"].push_back({range.x, range.low, range.high});
  return data;
}

// No byte of it means anything to a parser of HTML or XML, nor turns the direction of what it stands in.
std::string plain_json(const Json& data) {
  const std::string dumped = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string result;
  for (const char c : dumped) {
    if (c == '<') {
      result += "\\u003c";
    } else if (c == '>') {
      result += "\\u003e";
    } else if (c == '&') {
      result += "\\u0026";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

void fit_to_axes(Chart& chart) {
  const auto has_place = [&](const auto& point) {
    return can_stand_on(chart.x_scale, point.x) && can_stand_on(chart.y_scale, point.y);
  };
  for (Series& series : chart.series) {
    chart.left_out += take_out(series.points, has_place);
    take_out(series.band, [&](const Range& range) {
      return can_stand_on(chart.x_scale, range.x) && can_stand_on(chart.y_scale, range.low) &&
             can_stand_on(chart.y_scale, range.high);
    });
    thin(series.points);
    thin(series.band);
  }
  take_out(chart.marks, has_place);
  take_out(chart.reference_lines, [&](const ReferenceLine& line) {
    return can_stand_on(chart.y_scale, line.y) && (!line.x || can_stand_on(chart.x_scale, *line.x));
  });
}

bool has_points(const Chart& chart) {
  return std::any_of(chart.series.begin(), chart.series.end(),
                     [](const Series& series) { return !series.points.empty(); });
}

std::string legend(const Chart& chart) {
  std::string list = "<ul class=\"legend\">";
  for (const Series& series : chart.series) {
    list += sample(classes(series.look), "M0 8h36", series.name + (series.band.empty() ? "" : ", median"));
  }
  if (has_band(chart)) list += sample("band-sample", "M0 2h36v12h-36z", "least to most");
  for (const ReferenceLine& line : chart.reference_lines) {
    const std::string place = line.x ? " at " + quantity_text(*line.x, chart.x_unit) : std::string();
    list += sample("reference", "M0 8h36", line.name + " " + quantity_text(line.y, chart.y_unit) + place);
  }
  if (!chart.marks.empty())
    list += sample("marks", "M12 8a6 6 0 1 0 12 0a6 6 0 1 0 -12 0m2.5 -3.5l7 7m0 -7l-7 7", "failed");
  return list + "</ul>";
}

std::string chart_data(const Chart& chart) {
  Json data = Json::object();
  data["x"] = {
      {"title", printable(chart.x_title)}, {"unit", unit_text(chart.x_unit)}, {"scale", name_of(chart.x_scale)}};
  data["y"] = {{"unit", unit_text(chart.y_unit)}, {"scale", name_of(chart.y_scale)}};
  if (chart.y_scale != AxisScale::linear) data["y"]["ticks"] = tick_values(y_axis(chart));
  data["series"] = Json::array();
  for (const Series& series : chart.series) data["series"].push_back(series_data(series));
  data["lines"] = Json::array();
  for (const ReferenceLine& line : chart.reference_lines) {
    data["lines"].push_back({{"name", printable(line.name)}, {"y", line.y}});
  }
  data["marks"] = Json::array();
  for (const Mark& mark : chart.marks) data["marks"].push_back({mark.x, mark.y});
  return plain_json(data);
}

std::string figure(const Chart& chart, const std::string& detail) {
  std::string html = "<figure class=\"plot\">\n<figcaption><b>" + escape(chart.title) + "</b> <span class=\"quiet\">" +
                     escape(detail) + "</span></figcaption>\n";
  html += draw(chart) + "\n" + legend(chart) + "\n";
  if (chart.left_out > 0) html += note(count_text(chart.left_out, "point") + " cannot be shown on these axes.");
  if (has_chart_script()) html += "<script type=\"application/json\">" + chart_data(chart) + "</script>\n";
  return html + "</figure>\n";
}

}  // namespace cloudai::html
