// Which of a few phrases occur in a text: in one pass, far faster than a search for each, since logs of gigabytes hold
// none of them.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace cloudai::nccl_test {

// After Wu and Manber: the last two bytes of a window as long as the shortest phrase tell how far it can be moved.
class PhraseFinder {
 public:
  // At most 32 phrases of at least two bytes each.
  explicit PhraseFinder(std::vector<std::string_view> phrases);

  // Bit i is set if phrase i occurs.
  std::uint32_t occurring(std::string_view text) const;

 private:
  static std::size_t index(const char* two_bytes) {
    std::uint16_t index = 0;
    std::memcpy(&index, two_bytes, 2);
    return index;
  }

  std::vector<std::string_view> phrases_;
  std::size_t window_;
  std::array<std::uint8_t, 65536> moves_{};
};

}  // namespace cloudai::nccl_test
