#include "modules/reporters/results/metric_text.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>

namespace cloudai::results {

namespace {

std::string size_text(const std::string& bytes) {
  std::uint64_t size = 0;
  const char* last = bytes.data() + bytes.size();
  const auto [end, error] = std::from_chars(bytes.data(), last, size);
  if (error != std::errc{} || end != last) return bytes;
  constexpr std::array<const char*, 6> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  while (size >= 1024 && size % 1024 == 0 && unit + 1 < units.size()) {
    size /= 1024;
    ++unit;
  }
  return std::to_string(size) + " " + units[unit];
}

}  // namespace

std::string short_number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

std::string name_with_labels(const Metric& metric) {
  std::string labels;
  for (const auto& [name, value] : metric.labels) {
    labels += (labels.empty() ? "" : ", ") + name + " " + (name == "size" ? size_text(value) : value);
  }
  return labels.empty() ? metric.name : metric.name + " (" + labels + ")";
}

std::string value_text(double value, const std::string& unit) {
  return unit == "1" ? short_number(value) : short_number(value) + " " + unit;
}

}  // namespace cloudai::results
