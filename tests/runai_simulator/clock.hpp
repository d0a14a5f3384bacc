// The tenant's time: it may run faster than the machine's, stand still, and jump.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace runai_simulator {

using Milliseconds = std::int64_t;  // since 1970 where a point in time is meant

class Clock {
 public:
  // `scale` milliseconds pass per real one.
  Clock(double scale, Milliseconds start) : scale_(scale), start_(start), begun_(std::chrono::steady_clock::now()) {}

  Milliseconds now() const {
    const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begun_;
    return start_ + static_cast<Milliseconds>(passed.count() * scale_);
  }
  void advance(Milliseconds time) { start_ += time; }

 private:
  double scale_;
  Milliseconds start_;
  std::chrono::steady_clock::time_point begun_;
};

// 2026-11-30T03:00:00.000Z
std::string timestamp(Milliseconds time);
// Mon, 30 Nov 2026 03:00:00 GMT
std::string http_date(Milliseconds time);

}  // namespace runai_simulator
