// Small readers of text that the parsers share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cloudai::nccl_test {

std::vector<std::string_view> words_of(std::string_view text);

std::string_view trimmed(std::string_view text);

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
