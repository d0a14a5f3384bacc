// A plot a workload suggests, drawn as SVG.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cloudai/documents/outcome.hpp"

namespace cloudai::html {

struct Point {
  double x = 0;
  double y = 0;
};

struct Series {
  std::string name;
  std::vector<Point> points;
};

struct Chart {
  std::string title;
  std::string x_title;
  std::string x_unit;  // empty: none
  std::string y_unit;  // empty: none, or not the same for all series
  Scale x_scale = Scale::linear;
  Scale y_scale = Scale::linear;
  std::vector<Series> series;
  std::size_t left_out = 0;  // points its axes cannot show
};

// The chart of `plot` over the tables it may name. Cells without a number leave a gap. `problem` says, in one sentence,
// why there is nothing to draw.
struct ChartResult {
  std::optional<Chart> chart;
  std::string problem;
};
ChartResult make_chart(const Plot& plot, const std::vector<Table>& tables);

// The <svg> element. It needs no script; its colours come from the page's classes "series-0" to "series-5" and "axis".
// Axes in bytes have ticks at powers of 1024; one point, or points that are all the same, are drawn like any others.
std::string draw(const Chart& chart);

// How many looks of a line the page has; the seventh series looks like the first.
inline constexpr std::size_t series_looks = 6;

}  // namespace cloudai::html
