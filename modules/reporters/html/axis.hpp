// The range of an axis and where its ticks stand.
#pragma once

#include <string>
#include <vector>

#include "modules/reporters/html/chart.hpp"

namespace cloudai::html {

struct Tick {
  double value = 0;
  std::string label;
};

struct Axis {
  AxisScale scale = AxisScale::linear;
  double low = 0;
  double high = 1;
  std::vector<Tick> ticks;

  // Where `value` stands between the two ends, 0 to 1.
  double position(double value) const;
};

// An axis that holds everything from `low` to `high`; a logarithmic one needs both above zero. With `round_ends` it
// ends at round values: a linear one of values that are not negative starts at 0, a logarithmic one at a power of two,
// or at 1, 2 or 5 times a power of ten. In bytes, labels say KiB, MiB, GiB.
Axis make_axis(AxisScale scale, double low, double high, bool in_bytes, bool round_ends);

}  // namespace cloudai::html
