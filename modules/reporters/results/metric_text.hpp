// A measurement in words.
#pragma once

#include <string>

#include "cloudai/documents/outcome.hpp"

namespace cloudai::results {

// Six significant digits.
std::string short_number(double value);

// "busbw (collective all_reduce, placement in, size 8 GiB)". A size that is a whole number of KiB, MiB … is shown so.
std::string name_with_labels(const Metric& metric);

// "181.778 GB/s"; a plain number where the unit is "1".
std::string value_text(double value, const std::string& unit);

}  // namespace cloudai::results
