// The six statuses a run can end with, as every report counts and names them.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace cloudai::results {

inline constexpr std::array<std::string_view, 6> statuses{"passed",       "failed",  "error",
                                                          "inconclusive", "skipped", "cancelled"};

inline std::string upper_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

// What a report shows of the whole, and why that is not what the summary says; empty where it is.
struct ShownStatus {
  std::string status;
  std::string caveat;
};

// How many runs ended how.
class StatusCounts {
 public:
  void add(const std::string& status) { ++counts_[status]; }

  // "2 passed, 1 failed": in the order above, then what no one knows; "no run" if there was none.
  std::string text() const {
    std::string result;
    std::map<std::string, std::size_t> rest = counts_;
    const auto append = [&](const std::string& status, std::size_t count) {
      result += (result.empty() ? "" : ", ") + std::to_string(count) + " " + status;
    };
    for (const std::string_view status : statuses) {
      if (const auto entry = rest.extract(std::string(status))) append(entry.key(), entry.mapped());
    }
    for (const auto& [status, count] : rest) append(status, count);
    return result.empty() ? "no run" : result;
  }

  bool empty() const { return counts_.empty(); }

  // A summary may be damaged; that is no reason to show a pass that none of its runs or not all of them had.
  ShownStatus shown(const std::string& of_summary) const {
    if (of_summary != "passed") return {of_summary, ""};
    if (counts_.count("passed") == 0) return {"failed", "The summary says passed, but no run passed."};
    const auto is_good = [](const auto& entry) {
      return entry.first == "passed" || entry.first == "skipped" || entry.first == "cancelled";
    };
    if (!std::all_of(counts_.begin(), counts_.end(), is_good)) {
      return {"failed", "The summary says passed, but not every run did."};
    }
    return {of_summary, ""};
  }

 private:
  std::map<std::string, std::size_t> counts_;
};

}  // namespace cloudai::results
