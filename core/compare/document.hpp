// cloudai.comparison/1: a comparison for programs and for reporters.
#pragma once

#include <ostream>
#include <vector>

#include "core/compare/comparison.hpp"

namespace cloudai::compare {

// Writes the document as it comes, one case after the other, since it may be larger than memory.
class DocumentWriter {
 public:
  DocumentWriter(std::ostream& out, const std::vector<Results>& results, const Tolerance& tolerance);

  void add(const CaseComparison& comparison);
  void finish(const Totals& totals);

 private:
  std::ostream* out_;
  const std::vector<Results>* results_;
  bool has_cases_ = false;
};

}  // namespace cloudai::compare
