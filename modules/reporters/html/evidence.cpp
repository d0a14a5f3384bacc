#include "modules/reporters/html/evidence.hpp"

#include <array>
#include <cstdio>
#include <fstream>
#include <system_error>

#include "modules/reporters/results/paths.hpp"

namespace cloudai::html {

namespace fs = std::filesystem;

namespace {

constexpr int neighbours = 2;
constexpr std::size_t longest_line = 240;
constexpr std::size_t most_bytes = std::size_t{16} << 20U;  // of a log of any length

// The start of the next line, and how many bytes the whole of it has; none at the end of the file. A line of a gigabyte
// is never kept.
std::size_t read_line(std::streambuf& in, std::string& line) {
  constexpr int end = std::char_traits<char>::eof();
  line.clear();
  std::size_t bytes = 0;
  for (int c = in.sbumpc(); c != end && bytes < most_bytes; c = in.sbumpc()) {
    ++bytes;
    if (c == '\n') break;
    if (line.size() <= longest_line) line += static_cast<char>(c);
  }
  return bytes;
}

// Cut between characters, since the rest of one would be no text.
std::string shortened(std::string line) {
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (line.size() <= longest_line) return line;
  std::size_t end = longest_line;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) --end;
  return line.substr(0, end) + " …";
}

std::string numbered(int number, bool is_it, const std::string& line) {
  std::array<char, 32> front{};
  std::snprintf(front.data(), front.size(), "%s%5d  ", is_it ? ">" : " ", number);
  return front.data() + line + "\n";
}

}  // namespace

std::string evidence_path(const fs::path& results, const Evidence& evidence, const std::string& stage_directory) {
  std::error_code ignored;
  for (const fs::path& path : {fs::path(evidence.path), fs::path(stage_directory) / evidence.path}) {
    if (!path.empty() && results::stays_inside(path) && fs::exists(results / path, ignored)) return path.string();
  }
  return {};
}

std::string place_of(const Evidence& evidence) {
  return evidence.line ? evidence.path + ":" + std::to_string(*evidence.line) : evidence.path;
}

std::string excerpt(const fs::path& results, const std::string& path, const Evidence& evidence) {
  if (!evidence.line || path.empty()) return {};
  std::error_code ignored;
  fs::path file;
  try {
    file = results::path_inside(results, path);
  } catch (const Error&) {
    return {};
  }
  if (!fs::is_regular_file(file, ignored)) return {};
  std::ifstream in(file, std::ios::binary);
  std::string lines;
  std::string line;
  std::size_t bytes = 0;
  bool found = false;
  for (int number = 1; number <= *evidence.line + neighbours && bytes < most_bytes; ++number) {
    const std::size_t read = read_line(*in.rdbuf(), line);
    if (read == 0) break;
    bytes += read;
    if (number < *evidence.line - neighbours) continue;
    found = found || number == *evidence.line;
    lines += numbered(number, number == *evidence.line, shortened(line));
  }
  return found ? lines : std::string();
}

}  // namespace cloudai::html
