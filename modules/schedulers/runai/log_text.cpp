#include "log_text.hpp"

#include <algorithm>
#include <optional>

namespace runai {
namespace {

// How much of the end of the file is searched for the beginning of what a server still has.
constexpr std::uint64_t searched = std::uint64_t{4} << 20U;
// Less than this, or than a line, may stand in many places.
constexpr std::size_t telling = 256;

// Where `told` begins in `known`, at the start of a line: what `known` has from there on and what is told are the same,
// as far as both go.
std::optional<std::size_t> place_of(std::string_view told, std::string_view known) {
  for (std::size_t at = 0; at < known.size(); ++at) {
    const bool starts_line = at == 0 || known[at - 1] == '\n';
    const std::size_t both = std::min(told.size(), known.size() - at);
    if (starts_line && known.compare(at, both, told.substr(0, both)) == 0) return at;
    const std::size_t line_end = known.find('\n', at);
    if (line_end == std::string_view::npos) break;
    at = line_end;
  }
  return std::nullopt;
}

}  // namespace

LogText::LogText(std::filesystem::path file) : file_(std::move(file)) {
  stream_.open(file_, std::ios::binary | std::ios::trunc);
  if (!stream_) trouble_ = "the file '" + file_.string() + "' cannot be written";
}

std::string LogText::read(std::uint64_t begin, std::uint64_t count) const {
  std::ifstream file(file_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(begin));
  std::string text(static_cast<std::size_t>(count), '\0');
  file.read(text.data(), static_cast<std::streamsize>(count));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return text;
}

void LogText::append(std::string_view text) {
  stream_.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream_.flush();
  size_ += text.size();
  if (!stream_ && trouble_.empty()) trouble_ = "the file '" + file_.string() + "' cannot be written";
}

void LogText::begin() {
  mode_ = size_ == 0 ? Mode::appending : Mode::comparing;
  compared_ = 0;
  unplaced_.clear();
}

void LogText::add(std::string_view text) {
  if (mode_ == Mode::comparing) return compare(text);
  if (mode_ == Mode::appending) return append(text);
  unplaced_ += text;
  place(false);
}

void LogText::compare(std::string_view text) {
  const std::string known = read(compared_, std::min<std::uint64_t>(text.size(), size_ - compared_));
  const std::string_view same = text.substr(0, known.size());
  if (same == known) {
    compared_ += known.size();
    if (compared_ < size_) return;
    mode_ = Mode::appending;
    return append(text.substr(known.size()));
  }
  mode_ = Mode::placing;
  unplaced_ = read(0, compared_) + std::string(text);
  place(false);
}

void LogText::place(bool is_all) {
  if (!is_all && (unplaced_.size() < telling || unplaced_.find('\n') == std::string::npos)) return;
  if (unplaced_.empty()) return;
  const std::uint64_t from = size_ - std::min(size_, searched);
  const std::string known = read(from, size_ - from);
  const auto place = place_of(unplaced_, known);
  if (place && known.size() - *place > unplaced_.size()) return;  // all of it is known; more may come
  const std::string told = std::move(unplaced_);
  unplaced_.clear();
  mode_ = Mode::appending;
  if (place) return append(std::string_view(told).substr(known.size() - *place));
  has_gap_ = true;
  if (!known.empty() && known.back() != '\n') append("\n");
  append(told);
}

void LogText::end() {
  if (mode_ == Mode::placing) place(true);
}

}  // namespace runai
