#include "modules/workloads/nccl_test/banner_lines.hpp"

#include <algorithm>

#include "modules/workloads/nccl_test/text.hpp"

namespace cloudai::nccl_test {

std::optional<Sweep> announced_sweep(std::string_view line) {
  const auto smallest = whole_number(word_after(line, "minBytes "));
  const auto largest = whole_number(word_after(line, "maxBytes "));
  const std::string_view step = word_after(line, "step: ");
  const auto amount = whole_number(step.substr(0, step.find('(')));
  if (!smallest || !largest || !amount) return std::nullopt;
  return Sweep{*smallest, *largest, *amount, step.find("(factor)") != std::string_view::npos};
}

DeviceLine device_line(std::string_view line) {
  const Words words(line);
  if (words.size() < 2 || words[0] != "Rank") return {};
  const auto rank = whole_number(words[1]);
  if (!rank) return {};
  const auto after = [&](std::string_view key) {
    const auto* const found = std::find(words.begin(), words.end(), key);
    return found == words.end() || found + 1 == words.end() ? std::string_view{} : *(found + 1);
  };
  const auto index = whole_number(after("device"));
  const std::size_t bracket = line.find("] ");
  if (after("on").empty() || !index || bracket == std::string_view::npos) return {std::nullopt, line.ends_with("...")};
  return {Device{*rank, whole_number(after("Group")).value_or(0), std::string(after("on")), *index,
                 std::string(trimmed(line.substr(bracket + 2)))},
          false};
}

std::string nccl_version_text(std::int64_t code) {
  return std::to_string(code / 10000) + "." + std::to_string(code / 100 % 100) + "." + std::to_string(code % 100);
}

std::string driver_version_text(std::int64_t code) {
  return "CUDA " + std::to_string(code / 1000) + "." + std::to_string(code / 10 % 100);
}

}  // namespace cloudai::nccl_test
