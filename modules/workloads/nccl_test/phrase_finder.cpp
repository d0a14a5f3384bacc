#include "modules/workloads/nccl_test/phrase_finder.hpp"

#include <algorithm>

namespace cloudai::nccl_test {

PhraseFinder::PhraseFinder(std::vector<std::string_view> phrases) : phrases_(std::move(phrases)), window_(255) {
  for (const std::string_view phrase : phrases_) window_ = std::min(window_, phrase.size());
  moves_.fill(static_cast<std::uint8_t>(window_ - 1));
  for (const std::string_view phrase : phrases_) {
    for (std::size_t i = 0; i + 2 <= window_; ++i) {
      std::uint8_t& move = moves_[index(phrase.data() + i)];
      move = std::min(move, static_cast<std::uint8_t>(window_ - 2 - i));
    }
  }
}

std::uint32_t PhraseFinder::occurring(std::string_view text) const {
  std::uint32_t found = 0;
  for (std::size_t end = window_; end <= text.size();) {
    const std::size_t move = moves_[index(text.data() + end - 2)];
    if (move > 0) {
      end += move;
      continue;
    }
    const std::string_view rest = text.substr(end - window_);
    for (std::size_t i = 0; i < phrases_.size(); ++i) {
      if (rest.starts_with(phrases_[i])) found |= 1U << i;
    }
    ++end;
  }
  return found;
}

}  // namespace cloudai::nccl_test
