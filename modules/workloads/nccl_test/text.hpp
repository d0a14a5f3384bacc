// Small readers of text that the parsers share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cloudai::nccl_test {

// The first words of a text, more than any line of a table has. Filled anew for each line, without allocating.
class Words {
 public:
  explicit Words(std::string_view text = {}) { split(text); }

  void split(std::string_view text);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::string_view operator[](std::size_t index) const { return words_[index]; }
  const std::string_view* begin() const { return words_.data(); }
  const std::string_view* end() const { return words_.data() + size_; }

 private:
  std::array<std::string_view, 48> words_;
  std::size_t size_ = 0;
};

std::string_view trimmed(std::string_view text);

// What follows `key` in the text, or nothing; and of that the first word.
std::string_view text_after(std::string_view text, std::string_view key);
std::string_view word_after(std::string_view text, std::string_view key);

// The whole text as a number, or nothing. Not a number and infinity are no numbers.
std::optional<std::int64_t> whole_number(std::string_view text);
std::optional<double> number(std::string_view text);

// "32M" → 33554432, as nccl-tests reads sizes.
std::optional<std::int64_t> byte_size(std::string_view text);

// 33554432 → "32MB", 11954100 → "11.4MB": the form of the column `Size Human-readable`.
std::string human_size(std::int64_t bytes);

// "1 rank", "4 ranks"
std::string counted(std::size_t count, std::string_view noun);

}  // namespace cloudai::nccl_test
