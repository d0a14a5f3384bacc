// A chart, whatever it was made from, and what becomes of it on a page: an SVG that needs no script, its legend, and
// the numbers from which a script draws it again to zoom into.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cloudai::html {

enum class AxisScale { linear, log2, log10 };

struct Point {
  double x = 0;
  double y = 0;
};

// The least and the most that was measured at x.
struct Range {
  double x = 0;
  double low = 0;
  double high = 0;
};

enum class Stroke { solid, dashed };

// Colours count from 0 and start over after the last; each comes with a marker of its own shape, so that lines can be
// told apart without colour.
struct Look {
  std::size_t colour = 0;
  Stroke stroke = Stroke::solid;
};
inline constexpr std::size_t series_colours = 6;

struct Series {
  std::string name;
  std::vector<Point> points;  // joined by a line where x only grows, else by none
  Look look;
  std::vector<Range> band;  // where the points are medians: between what; else empty
};

// A horizontal line across the chart: a limit, an ideal.
struct ReferenceLine {
  std::string name;
  double y = 0;
  std::optional<double> x;  // the one place it was set for, marked on the line
};

// A point that is no good. `text` says why.
struct Mark {
  double x = 0;
  double y = 0;
  std::string text;
};

struct Chart {
  std::string title;
  std::string x_title;
  std::string x_unit;  // empty: none
  std::string y_unit;  // empty: none, or not the same for all series
  AxisScale x_scale = AxisScale::linear;
  AxisScale y_scale = AxisScale::linear;
  std::vector<Series> series;
  std::vector<ReferenceLine> reference_lines;
  std::vector<Mark> marks;
  std::size_t left_out = 0;  // points its axes cannot show
};

// Takes out what the axes cannot show, which is counted, and what is more than a chart of bounded size can hold.
// Whoever makes a Chart ends with this; the functions below rely on it.
void fit_to_axes(Chart& chart);

// Whether there is anything to draw.
bool has_points(const Chart& chart);

// The <svg> element, for a chart that has points. Axes in bytes have ticks at powers of 1024; one point, or points that
// are all the same, are drawn like any others.
std::string draw(const Chart& chart);

// The <ul> with a sample of each line, in the order of the chart.
std::string legend(const Chart& chart);

// The numbers as JSON, safe to stand in a <script> of HTML and of XHTML.
std::string chart_data(const Chart& chart);

// The whole <figure>: caption, SVG, legend, notes, and the numbers if the build has a script that draws them. `detail`
// stands quietly behind the title.
std::string figure(const Chart& chart, const std::string& detail);

}  // namespace cloudai::html
