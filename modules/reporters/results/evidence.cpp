#include "modules/reporters/results/evidence.hpp"

#include <fstream>
#include <system_error>

#include "cloudai/error.hpp"
#include "modules/reporters/results/paths.hpp"

namespace cloudai::results {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_line = 200;
constexpr std::size_t most_bytes = std::size_t{64} << 20U;

// Nothing where it is not a plain file inside the results directory: opening a FIFO would wait for ever.
std::ifstream open_inside(const fs::path& results_directory, const std::string& path) {
  std::error_code error;
  try {
    const fs::path file = path_inside(results_directory, path);
    if (fs::is_regular_file(file, error)) return std::ifstream(file, std::ios::binary);
  } catch (const Error&) {
    // It leads out of the directory.
  }
  return {};
}

}  // namespace

std::string place_of(const Evidence& evidence) {
  return evidence.line ? evidence.path + ":" + std::to_string(*evidence.line) : evidence.path;
}

std::string line_of(const fs::path& results_directory, const Evidence& evidence) {
  if (!evidence.line || *evidence.line < 1) return {};
  std::ifstream file = open_inside(results_directory, evidence.path);
  if (!file.is_open()) return {};
  std::string line;
  int number = 1;
  for (std::size_t bytes = 0; bytes < most_bytes; ++bytes) {
    const int c = file.get();
    if (c == std::ifstream::traits_type::eof()) break;
    if (c == '\n') {
      if (number == *evidence.line) return line;
      ++number;
    } else if (number == *evidence.line && line.size() < longest_line) {
      line += static_cast<char>(c);
    }
  }
  return number == *evidence.line ? line : std::string();
}

}  // namespace cloudai::results
