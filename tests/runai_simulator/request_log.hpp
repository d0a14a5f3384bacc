// What came in, without its secrets.
#pragma once

#include <vector>

#include "tests/runai_simulator/clock.hpp"
#include "tests/runai_simulator/http.hpp"

namespace runai_simulator {

class RequestLog {
 public:
  // The index of the new entry; its status is told later.
  std::size_t add(const HttpRequest& request, bool authorized, Milliseconds now);
  void set_status(std::size_t index, int status) { entries_[index]["status"] = status; }
  const std::vector<Json>& entries() const { return entries_; }

 private:
  std::vector<Json> entries_;
};

}  // namespace runai_simulator
