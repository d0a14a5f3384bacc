#include "modules/reporters/html/comparison_curves.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "modules/reporters/html/format.hpp"

namespace cloudai::html {

using results::ComparedMetric;
using results::ComparedValue;
using results::ComparisonHeader;

namespace {

using Labels = std::map<std::string, std::string>;
using Sizes = std::map<double, const ComparedMetric*>;

// The metrics of one picture: by placement, then by size.
struct Group {
  std::string title;
  std::string name;
  std::string unit;
  std::map<std::string, Sizes> placements;
};

std::string take(Labels& labels, const char* name) {
  const auto found = labels.find(name);
  if (found == labels.end()) return {};
  std::string value = found->second;
  labels.erase(found);
  return value;
}

std::optional<double> number_of(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return std::nullopt;
  return number;
}

std::vector<Group> groups_of(const results::ComparedCase& compared) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> places;
  for (const ComparedMetric& metric : compared.metrics) {
    Labels labels = metric.labels;
    const auto size = number_of(take(labels, "size"));
    if (!size || metric.values.empty()) continue;
    const std::string placement = take(labels, "placement");
    const std::string unit = metric.values.begin()->second.unit;
    const std::string stage = metric.stage == "main" ? "" : metric.stage + ": ";
    const std::string rest = labels_text(labels);
    const std::string title = stage + metric.name + (rest.empty() ? "" : ", " + rest);
    const auto [place, is_new] = places.try_emplace(title + '\0' + unit, groups.size());
    if (is_new) groups.push_back({title, metric.name, unit, {}});
    groups[place->second].placements[placement][*size] = &metric;
  }
  return groups;
}

std::string series_name(const std::string& results, const std::string& placement) {
  if (placement.empty()) return results;
  return results + (placement == "in" ? " in place" : placement == "out" ? " out of place" : " " + placement);
}

const ComparedValue* value_of(const ComparedMetric& metric, const std::string& results, const std::string& unit) {
  const auto found = metric.values.find(results);
  return found == metric.values.end() || found->second.unit != unit ? nullptr : &found->second;
}

Series value_series(const Sizes& sizes, const std::string& results, const std::string& unit) {
  Series series;
  for (const auto& [size, metric] : sizes) {
    const ComparedValue* value = value_of(*metric, results, unit);
    if (value == nullptr) continue;
    series.points.push_back({size, value->median});
    if (value->low && value->high) series.band.push_back({size, *value->low, *value->high});
  }
  return series;
}

Series ratio_series(const Sizes& sizes, const std::string& results) {
  Series series;
  for (const auto& [size, metric] : sizes) {
    const auto change = metric->changes.find(results);
    if (change != metric->changes.end() && change->second.percent) {
      series.points.push_back({size, *change->second.percent});
    }
  }
  return series;
}

// Numbers of runs that did not pass stand in the picture, and say so.
void add_marks(const Sizes& sizes, const std::string& results, const std::string& unit, Chart& chart) {
  for (const auto& [size, metric] : sizes) {
    const ComparedValue* value = value_of(*metric, results, unit);
    if (value != nullptr && !value->passed) {
      chart.marks.push_back({size, value->median, results + ": of a run that did not pass"});
    }
  }
}

Chart empty_chart(const std::string& title, const std::string& unit, AxisScale y_scale) {
  Chart chart;
  chart.title = title;
  chart.x_title = "Message size";
  chart.x_unit = "B";
  chart.y_unit = unit;
  chart.x_scale = AxisScale::log2;
  chart.y_scale = y_scale;
  return chart;
}

ComparedCurves curves_of(const ComparisonHeader& header, const Group& group) {
  const bool is_time = group.unit == "us" || group.unit == "s";
  const std::string& baseline = header.results.front().name;
  ComparedCurves curves{empty_chart(group.title, group.unit, is_time ? AxisScale::log10 : AxisScale::linear),
                        empty_chart("Difference from " + baseline + ": " + group.title, "%", AxisScale::linear)};
  for (std::size_t i = 0; i < header.results.size(); ++i) {
    const std::string& name = header.results[i].name;
    for (const auto& [placement, sizes] : group.placements) {
      const Look look{i, placement == "in" ? Stroke::dashed : Stroke::solid};
      Series values = value_series(sizes, name, group.unit);
      values.name = series_name(name, placement);
      values.look = look;
      curves.values.series.push_back(std::move(values));
      add_marks(sizes, name, group.unit, curves.values);
      if (i == 0) continue;
      Series ratio = ratio_series(sizes, name);
      ratio.name = series_name(name, placement);
      ratio.look = look;
      curves.ratio.series.push_back(std::move(ratio));
    }
  }
  const auto own = header.metric_tolerances.find(group.name);
  const double tolerance = own == header.metric_tolerances.end() ? header.tolerance : own->second;
  curves.ratio.reference_lines = {{"tolerance", tolerance, {}}, {"tolerance", -tolerance, {}}};
  fit_to_axes(curves.values);
  fit_to_axes(curves.ratio);
  return curves;
}

}  // namespace

std::vector<ComparedCurves> compared_curves(const ComparisonHeader& header, const results::ComparedCase& compared) {
  std::vector<ComparedCurves> all;
  for (const Group& group : groups_of(compared)) {
    const bool is_curve = std::any_of(group.placements.begin(), group.placements.end(),
                                      [](const auto& placement) { return placement.second.size() > 1; });
    if (!is_curve) continue;
    ComparedCurves curves = curves_of(header, group);
    if (has_points(curves.values)) all.push_back(std::move(curves));
  }
  return all;
}

std::string curves_markup(const ComparedCurves& curves, const std::string& detail) {
  return "<div class=\"pair\">\n" + figure(curves.values, detail) +
         (has_points(curves.ratio) ? figure(curves.ratio, detail) : std::string()) + "</div>\n";
}

}  // namespace cloudai::html
