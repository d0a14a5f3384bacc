// The message sizes of one benchmark.
#pragma once

#include <cstdint>
#include <optional>

namespace cloudai::nccl_test {

// From `smallest` to `largest` at most, each size `step` times or bytes more than the one before.
struct Sweep {
  std::int64_t smallest = 0;
  std::int64_t largest = 0;
  std::int64_t step = 0;
  bool multiplies = false;

  bool operator==(const Sweep&) const = default;

  // The size that follows, or nothing after the last.
  std::optional<std::int64_t> after(std::int64_t size) const {
    if (multiplies) {
      if (size == 0 || size > largest / step) return std::nullopt;
      return size * step;
    }
    if (step == 0 || size > largest - step) return std::nullopt;
    return size + step;
  }

  std::int64_t last() const {
    if (!multiplies) return step == 0 ? smallest : smallest + (largest - smallest) / step * step;
    std::int64_t size = smallest;
    while (const auto next = after(size)) size = *next;
    return size;
  }

  std::int64_t count() const {
    if (!multiplies) return step == 0 ? 1 : (largest - smallest) / step + 1;
    std::int64_t count = 1;
    for (auto size = after(smallest); size; size = after(*size)) ++count;
    return count;
  }
};

}  // namespace cloudai::nccl_test
