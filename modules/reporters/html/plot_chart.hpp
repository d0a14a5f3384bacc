// From a plot that a workload suggests, and the tables it names, to a chart.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cloudai/documents/outcome.hpp"
#include "modules/reporters/html/chart.hpp"

namespace cloudai::html {

// The chart of one plot over the tables of one run, or of several whose values are gathered in it one after the other.
class PlotChart {
 public:
  explicit PlotChart(Plot plot);

  // Adds the values of the table that the plot is of. Cells without a number leave a gap. Returns in one sentence why
  // there is nothing to draw, else an empty text.
  std::string add(const std::vector<Table>& tables);

  // Lines that a further run's plot has; one like another is drawn once.
  void add_references(const std::vector<Reference>& references);

  std::size_t values() const { return values_; }

  // Where an x repeats, a series is the medians at each x, with a band from the least to the most; else it is as it
  // came.
  Chart chart() const;

 private:
  void set_units(const Table& table, std::size_t x);
  void add_column(const Table& table, std::size_t x, std::size_t series);
  void mark_below_minimum(const Point& point);
  void mark(const Point& point, const std::string& why);

  Plot plot_;
  Chart chart_;                               // all but its points
  std::vector<std::vector<Point>> gathered_;  // of each series
  std::vector<Reference> references_;
  std::size_t values_ = 0;
};

}  // namespace cloudai::html
