#include "modules/reporters/html/axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "modules/reporters/html/format.hpp"

namespace cloudai::html {

namespace {

constexpr int most_ticks = 7;

std::string label(double value, bool in_bytes) {
  return in_bytes ? bytes_text(value) : number_text(value);
}

// The least of 1, 2 and 5 times a power of ten that is not below `least`.
double round_up(double least) {
  const double decade = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * decade >= least * (1 - 1e-9)) return factor * decade;
  }
  return 10 * decade;
}

// The most of them that is not above `most`.
double round_down(double most) {
  const double decade = std::pow(10.0, std::floor(std::log10(most) + 1e-9));
  for (const double factor : {5.0, 2.0}) {
    if (factor * decade <= most * (1 + 1e-9)) return factor * decade;
  }
  return decade;
}

// In bytes, a power of two.
double round_step(double least, bool in_bytes) {
  if (in_bytes) return std::exp2(std::max(0.0, std::ceil(std::log2(least))));
  return round_up(least);
}

void place_linear_ticks(Axis& axis, bool in_bytes) {
  const double step = round_step((axis.high - axis.low) / (most_ticks - 1), in_bytes);
  axis.low = std::floor(axis.low / step + 1e-9) * step;
  axis.high = std::ceil(axis.high / step - 1e-9) * step;
  const auto count = static_cast<int>(std::lround((axis.high - axis.low) / step));
  for (int i = 0; i <= count; ++i) {
    const double value = axis.low + i * step;
    axis.ticks.push_back({value, label(std::abs(value) < step / 2 ? 0.0 : value, in_bytes)});
  }
}

void place_ticks_at_powers(Axis& axis, bool in_bytes) {
  const double base = axis.scale == AxisScale::log2 ? 2.0 : 10.0;
  const auto first = static_cast<int>(std::ceil(std::log(axis.low) / std::log(base) - 1e-9));
  const auto last = static_cast<int>(std::floor(std::log(axis.high) / std::log(base) + 1e-9));
  const int step = std::max(1, (last - first + most_ticks - 1) / most_ticks);
  for (int exponent = first; exponent <= last; exponent += step) {
    const double value = std::pow(base, exponent);
    axis.ticks.push_back({value, label(value, in_bytes)});
  }
}

// At 1, 2 and 5 times the powers of ten, where powers alone would be too few to read a value from.
void place_ticks_within_decades(Axis& axis, bool in_bytes) {
  for (double tick = round_up(axis.low); tick <= axis.high * (1 + 1e-9); tick = round_up(tick * 1.5)) {
    axis.ticks.push_back({tick, label(tick, in_bytes)});
  }
}

void place_log_ticks(Axis& axis, bool in_bytes) {
  if (axis.scale == AxisScale::log10 && axis.high / axis.low < 150) {
    place_ticks_within_decades(axis, in_bytes);
  } else {
    place_ticks_at_powers(axis, in_bytes);
  }
  if (axis.ticks.size() < 2) {
    axis.ticks = {{axis.low, label(axis.low, in_bytes)}, {axis.high, label(axis.high, in_bytes)}};
  }
}

void widen(Axis& axis) {
  if (axis.scale == AxisScale::log10) {
    axis.low = round_down(axis.low);
    axis.high = round_up(axis.high);
  } else {
    axis.low = std::exp2(std::floor(std::log2(axis.low) + 1e-9));
    axis.high = std::exp2(std::ceil(std::log2(axis.high) - 1e-9));
  }
}

}  // namespace

double Axis::position(double value) const {
  if (scale == AxisScale::linear) return (value - low) / (high - low);
  return std::log(value / low) / std::log(high / low);
}

Axis make_axis(AxisScale scale, double low, double high, bool in_bytes, bool round_ends) {
  Axis axis{scale, low, high, {}};
  if (scale != AxisScale::linear) {
    if (round_ends) widen(axis);
    if (axis.low == axis.high) {
      axis.low /= 2;
      axis.high *= 2;
    }
    place_log_ticks(axis, in_bytes);
    return axis;
  }
  if (round_ends && low >= 0) axis.low = 0;
  if (axis.high - axis.low <= 1e-12 * std::max(std::abs(axis.low), std::abs(axis.high))) {
    const double margin = axis.low == 0 ? 1 : std::abs(axis.low) / 2;
    axis.low -= axis.low == 0 ? 0 : margin;
    axis.high += margin;
  }
  place_linear_ticks(axis, in_bytes);
  return axis;
}

}  // namespace cloudai::html
