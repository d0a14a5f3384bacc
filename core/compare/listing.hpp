// What a person reads of a comparison: the worst first, and never more than can be read.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "core/compare/comparison.hpp"

namespace cloudai::compare {

// Cells are what they are about: whoever shows them makes them harmless there.
struct ListedRow {
  Verdict verdict = Verdict::same;
  std::vector<std::string> cells;
};

struct ListedTable {
  std::vector<std::string> heading;
  std::vector<ListedRow> rows;
  std::size_t left_out = 0;  // rows for which there was no room
};

// Takes one case after the other. What did not change is listed only if it is a headline, or everything is wanted.
// Unless everything is wanted, memory does not grow with the number of cases.
class Listing {
 public:
  static constexpr std::size_t most_rows = 20;  // of each verdict

  Listing(const std::vector<Results>& results, bool everything) : results_(&results), everything_(everything) {}

  void add(const CaseComparison& comparison);

  // Tests with their statuses; metrics with their values, the greatest change first.
  ListedTable cases() const;
  ListedTable metrics() const;

  // Why runs did not pass: "B: Tests.1/0 failed: …".
  const std::vector<std::string>& reasons() const { return reasons_; }

  // Whether a value is the median of several.
  bool has_spread() const { return has_spread_; }

 private:
  struct Ranked {
    double size = 0;  // of the change; the greater, the nearer to the top
    std::vector<std::string> cells;
  };
  struct Bucket {
    std::vector<Ranked> rows;
    std::size_t count = 0;
  };
  using Buckets = std::array<Bucket, verdict_names.size()>;

  void add_case(const CaseComparison& comparison);
  void add_metric(const std::string& test, const MetricComparison& metric);
  void add_reasons(const CaseComparison& comparison);
  void put(Buckets& buckets, Verdict verdict, Ranked row) const;
  void fill(ListedTable& table, const Buckets& buckets) const;

  const std::vector<Results>* results_;
  bool everything_;
  bool has_spread_ = false;
  Buckets cases_;
  Buckets metrics_;
  std::vector<std::string> reasons_;
};

}  // namespace cloudai::compare
