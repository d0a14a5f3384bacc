#include "core/conformance/findings.hpp"

#include <algorithm>
#include <utility>

namespace cloudai::conformance {
namespace {

constexpr std::size_t most = 20;

}  // namespace

void Findings::fault(std::string sentence) {
  if (std::find(faults_.begin(), faults_.end(), sentence) != faults_.end()) return;
  if (faults_.size() < most) {
    faults_.push_back(std::move(sentence));
  } else {
    ++left_out_;
  }
}

void Findings::skip(std::string why) {
  skipped_ = true;
  note_ = std::move(why);
}

void Findings::note(std::string text) {
  note_ = std::move(text);
}

Verdict Findings::verdict() const {
  if (!faults_.empty()) return Verdict::failed;
  return skipped_ ? Verdict::skipped : Verdict::ok;
}

std::vector<std::string> Findings::sentences() const {
  std::vector<std::string> sentences = faults_;
  if (left_out_ > 0) sentences.push_back("There are " + std::to_string(left_out_) + " more.");
  if (sentences.empty() && !note_.empty()) sentences.push_back(note_);
  return sentences;
}

}  // namespace cloudai::conformance
