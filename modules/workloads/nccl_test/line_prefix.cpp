#include "modules/workloads/nccl_test/line_prefix.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace cloudai::nccl_test {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

// Eight bytes at a time: nearly every line has none, and every line is looked at.
bool has_control(std::string_view text) {
  constexpr std::uint64_t each = 0x0101010101010101U;
  constexpr std::uint64_t high = each * 0x80;
  std::size_t i = 0;
  std::uint64_t found = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + i, 8);
    const std::uint64_t is_delete = bytes ^ (each * 0x7f);
    found |= (bytes - each * 0x20) & ~bytes;
    found |= (is_delete - each) & ~is_delete;
  }
  return (found & high) != 0 || std::any_of(text.begin() + static_cast<std::ptrdiff_t>(i), text.end(), is_control);
}

void copy_without_control(std::string_view raw, std::string& line) {
  line.resize(raw.size());
  char* end = line.data();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    if (c == '\x1b' && i + 1 < raw.size() && raw[i + 1] == '[') {
      // A control sequence ends with its first byte from '@' on.
      i += 2;
      while (i < raw.size() && !(raw[i] >= '@' && raw[i] <= '~')) ++i;
    } else if (c == '\t' || !is_control(c)) {
      *end++ = c;
    }
  }
  line.resize(static_cast<std::size_t>(end - line.data()));
}

// "2026-03-04T05:06:07.000000000Z ", also with an offset.
bool take_time(std::string_view& line) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:dd";
  if (line.size() <= form.size() || line[4] != '-' || line[10] != 'T') return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == 'd' ? !is_digit(line[i]) : line[i] != form[i]) return false;
  }
  const std::size_t end = line.find_first_not_of("0123456789.:+-Z", form.size());
  if (end != std::string_view::npos && line[end] != ' ') return false;
  line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  return true;
}

// "0: ", padded on the left, as srun numbers tasks.
bool take_task_label(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t colon = std::min(line.find_first_not_of("0123456789", begin), line.size());
  if (colon == begin || colon - begin > 7 || line.substr(colon, 2) != ": ") return false;
  line.remove_prefix(colon + 2);
  return true;
}

// "[1,0]<stdout>:"
bool take_rank_tag(LineContent& content) {
  std::string_view& line = content.text;
  const std::size_t comma = line.find(',');
  const std::size_t close = line.find("]<");
  if (close == std::string_view::npos || comma == std::string_view::npos || comma > close) return false;
  if (!all_digits(line.substr(1, comma - 1)) || !all_digits(line.substr(comma + 1, close - comma - 1))) return false;
  const std::string_view stream = line.substr(close + 2);
  if (!stream.starts_with("stdout>:") && !stream.starts_with("stderr>:")) return false;
  content.is_stderr = stream.starts_with("stderr");
  line = stream.substr(8);
  return true;
}

// "[pod/name/container] "
bool take_pod(std::string_view& line) {
  if (!line.starts_with("[pod/")) return false;
  const std::size_t close = line.find_first_of("] ");
  if (close == std::string_view::npos || line.substr(close, 2) != "] ") return false;
  line.remove_prefix(close + 2);
  return true;
}

bool take_prefix(LineContent& content) {
  std::string_view& line = content.text;
  if (line.empty()) return false;
  if (line[0] == '[') return take_rank_tag(content) || take_pod(line);
  if (is_digit(line[0])) return take_time(line) || take_task_label(line);
  return line[0] == ' ' && take_task_label(line);
}

}  // namespace

LineContent content_of(std::string_view raw, std::string& scratch) {
  while (!raw.empty() && raw.back() == '\r') raw.remove_suffix(1);
  LineContent content{raw, false};
  if (has_control(raw)) {
    copy_without_control(raw, scratch);
    content.text = scratch;
  }
  // One of each kind at most: what the program itself prints may look like more.
  for (int i = 0; i < 4 && take_prefix(content); ++i) {
  }
  return content;
}

}  // namespace cloudai::nccl_test
