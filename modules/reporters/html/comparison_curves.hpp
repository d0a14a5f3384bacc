// What is measured over message sizes, of several results directories in one picture, and below it by how much each
// differs from the baseline.
#pragma once

#include <string>
#include <vector>

#include "modules/reporters/html/chart.hpp"
#include "modules/reporters/results/comparison.hpp"

namespace cloudai::html {

struct ComparedCurves {
  Chart values;  // a colour for each results directory; in place dashed; repeated measurements with a band
  Chart ratio;   // the others over the baseline, less 1, in percent
};

// One for each metric with at least two sizes, stage by stage.
std::vector<ComparedCurves> compared_curves(const results::ComparisonHeader& header,
                                            const results::ComparedCase& compared);

// Both pictures, one below the other.
std::string curves_markup(const ComparedCurves& curves, const std::string& detail);

}  // namespace cloudai::html
