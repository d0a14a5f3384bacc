// What speaks against a stage, with the place in the log that shows it.
#pragma once

#include <optional>
#include <string>

#include "cloudai/documents/outcome.hpp"

namespace cloudai::nccl_test {

constexpr const char* output_file = "stdout.txt";

using Finding = std::optional<Reason>;

// `line` is absent, or 0, where no single line shows it.
inline Reason finding(const char* code, std::string text, std::optional<int> line = std::nullopt,
                      std::string hint = {}) {
  if (line == 0) line.reset();
  return {code, std::move(text), std::move(hint), {{output_file, line}}};
}

}  // namespace cloudai::nccl_test
