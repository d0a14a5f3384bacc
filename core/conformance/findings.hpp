// What a check found out, and the sentences it says it with.
#pragma once

#include <string>
#include <vector>

namespace cloudai::conformance {

enum class Verdict { ok, failed, skipped };

class Findings {
 public:
  // One sentence. The same one is said once, and many of them are cut short.
  void fault(std::string sentence);
  void skip(std::string why);
  // Worth saying of a check that found no fault.
  void note(std::string text);

  Verdict verdict() const;
  // The faults; without any, why the check was skipped, or the note if there is one.
  std::vector<std::string> sentences() const;

 private:
  std::vector<std::string> faults_;
  std::size_t left_out_ = 0;
  bool skipped_ = false;
  std::string note_;
};

}  // namespace cloudai::conformance
