#include "modules/workloads/nccl_test/output_parser.hpp"

#include <algorithm>
#include <cctype>

#include "modules/workloads/nccl_test/line_reader.hpp"
#include "modules/workloads/nccl_test/table_row.hpp"
#include "modules/workloads/nccl_test/text.hpp"

namespace cloudai::nccl_test {

namespace {

constexpr std::size_t most_failures = 16;
constexpr std::size_t most_devices = 100000;
constexpr std::size_t longest_failure = 1000;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// Length of a leading "2026-03-04T05:06:07.000000000Z " (also with an offset), or 0.
std::size_t time_prefix(std::string_view line) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:dd";
  if (line.size() <= form.size()) return 0;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(line[i])) != 0;
    if (form[i] == 'd' ? !digit : line[i] != form[i]) return 0;
  }
  const std::size_t end = line.find_first_not_of("0123456789.:+-Z", form.size());
  if (end == std::string_view::npos) return line.size();
  return line[end] == ' ' ? end + 1 : 0;
}

// Takes "[1,0]<stdout>:" off the line. False: what it tags is not stdout.
bool take_rank_tag(std::string_view& line) {
  if (line.empty() || line[0] != '[') return true;
  const std::size_t comma = line.find(',');
  const std::size_t close = line.find("]<");
  if (close == std::string_view::npos || comma == std::string_view::npos || comma > close) return true;
  if (!all_digits(line.substr(1, comma - 1)) || !all_digits(line.substr(comma + 1, close - comma - 1))) return true;
  const std::string_view stream = line.substr(close + 2);
  if (stream.starts_with("stderr>:")) return false;
  if (stream.starts_with("stdout>:")) line = stream.substr(8);
  return true;
}

std::string without_control_sequences(std::string_view raw) {
  std::string line(raw.size(), '\0');
  char* end = line.data();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    if (c == '\x1b' && i + 1 < raw.size() && raw[i + 1] == '[') {
      // A control sequence ends with its first byte from '@' on.
      i += 2;
      while (i < raw.size() && !(raw[i] >= '@' && raw[i] <= '~')) ++i;
    } else if (c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f)) {
      *end++ = c;
    }
  }
  line.resize(static_cast<std::size_t>(end - line.data()));
  return line;
}

// Whether the numbers of a row can come from a measurement. A bandwidth that is rounded to 0 can; a time of 0 cannot.
bool is_possible(const Row& row) {
  return std::all_of(row.sides.begin(), row.sides.end(), [](const Side& side) {
    return !side.no_number && side.time_us.value_or(1) > 0 && side.algbw.value_or(0) >= 0 &&
           side.busbw.value_or(0) >= 0;
  });
}

// The text after `key` up to the next blank, or "".
std::string_view word_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  const auto words = words_of(text.substr(at + key.size()));
  return words.empty() ? std::string_view{} : words[0];
}

// 22807 → "2.28.7": the number by which programs know NCCL's version.
std::string version_text(std::string_view code) {
  const auto value = whole_number(code);
  if (!value || *value < 10000) return std::string(code);
  return std::to_string(*value / 10000) + "." + std::to_string(*value / 100 % 100) + "." + std::to_string(*value % 100);
}

class Parser {
 public:
  void line(std::string_view raw, int number, bool complete) {
    const auto cleaned = cleaned_line(raw);
    if (!cleaned) return;
    number_ = number;
    // Some programs print the table without the '#' that marks everything but rows.
    const std::string_view text = trimmed(*cleaned);
    const bool hashed = text.starts_with('#');
    const std::string_view body = hashed ? trimmed(text.substr(1)) : text;
    if (continue_failure(body)) return;
    if (!hashed && row(body, complete)) return;
    if (failure(body) || footer(body) || device(body) || header(body)) return;
    mention(body);
    if (!hashed && !body.empty()) before_failure_ = {number, std::string(body)};
  }

  Output take() {
    out_.tables = std::max(out_.tables, most_times_listed());
    return std::move(out_);
  }

 private:
  bool row(std::string_view body, bool complete) {
    if (!header_) return false;
    const auto words = words_of(body);
    if (!begins_as_row(words)) return false;
    auto parsed = table_row(*header_, words);
    if (!complete) {
      out_.cut_row = true;
    } else if (!parsed) {
      if (out_.malformed_rows++ == 0) out_.first_malformed_line = number_;
    } else {
      parsed->line = number_;
      add(std::move(*parsed));
    }
    return true;
  }

  void add(Row&& row) {
    ++out_.row_count;
    out_.largest_size = std::max(out_.largest_size, row.size);
    out_.last_size = row.size;
    const auto& sides = row.sides;
    const auto is_wrong = [](const Side& side) { return side.marked || side.wrong.value_or(0) != 0; };
    const auto is_unchecked = [](const Side& side) { return side.unchecked; };
    if (!out_.first_wrong && std::any_of(sides.begin(), sides.end(), is_wrong)) out_.first_wrong = row;
    if (!out_.first_unchecked && std::all_of(sides.begin(), sides.end(), is_unchecked)) out_.first_unchecked = row;
    if (!out_.first_impossible && !is_possible(row)) out_.first_impossible = row;
    if (out_.rows.size() < most_rows) out_.rows.push_back(std::move(row));
  }

  // The failure text of NCCL may contain newlines; its closing quote is then on a later line.
  bool continue_failure(std::string_view body) {
    if (!open_quote_) return false;
    std::string& text = out_.failures.back().text;
    const bool closes = contains(body, "'");
    open_quote_ = !closes && text.size() < longest_failure;
    const std::string_view words = closes && body == "'" ? std::string_view("") : body;
    if (!words.empty()) text += " " + std::string(words.substr(0, longest_failure));
    return true;
  }

  bool failure(std::string_view body) {
    const bool named = contains(body, "Test NCCL failure") || contains(body, "Test CUDA failure");
    if (!named && !contains(body, "Test failure")) return false;
    if (out_.failures.size() >= most_failures) return true;
    if (!named && out_.failures.empty() && body.starts_with("..") && before_failure_) {
      // A trace line only says where; the line before it says what.
      out_.failures.push_back(*before_failure_);
    }
    // Trace lines that follow a cause add nothing to it.
    if (!named && !out_.failures.empty()) return true;
    out_.failures.push_back({number_, std::string(body.substr(0, longest_failure))});
    open_quote_ = std::count(body.begin(), body.end(), '\'') % 2 == 1;
    return true;
  }

  bool footer(std::string_view body) {
    constexpr std::string_view bounds = "Out of bounds values : ";
    constexpr std::string_view average = "Avg bus bandwidth";
    if (const std::size_t at = body.find(bounds); at != std::string_view::npos) {
      // Each table has one.
      out_.tables = std::max(out_.tables, ++out_.footers);
      const auto words = words_of(body.substr(at + bounds.size()));
      const bool ok = words.size() >= 2 && words[0] == "0" && words[1] == "OK";
      // One of several tables that is bad is enough.
      if (!out_.out_of_bounds || out_.out_of_bounds->ok) {
        out_.out_of_bounds = {number_, std::string(words.empty() ? std::string_view{} : words[0]), ok};
      }
      return true;
    }
    if (const std::size_t at = body.find(average); at != std::string_view::npos) {
      const std::string_view rest = body.substr(at + average.size());
      const auto words = words_of(rest);
      if (words.empty() || words[0] != ":") return true;
      if (out_.average && out_.average->failed) return true;
      out_.average = {number_, words.size() > 1 ? number(words[1]) : std::nullopt, contains(rest, "FAILED")};
      return true;
    }
    return false;
  }

  // "Rank  0 Group  0 Pid   4100 on    node001 device  0 [0x1b] NVIDIA H100 80GB HBM3"
  bool device(std::string_view body) {
    if (!body.starts_with("Rank")) return false;
    const auto words = words_of(body);
    if (words.size() < 2 || words[0] != "Rank") return false;
    const auto rank = whole_number(words[1]);
    if (!rank) return false;
    const auto after = [&](std::string_view key) {
      const auto found = std::find(words.begin(), words.end(), key);
      return found == words.end() || found + 1 == words.end() ? std::string_view{} : *(found + 1);
    };
    const auto index = whole_number(after("device"));
    const std::size_t bracket = body.find("] ");
    if (after("on").empty() || !index || bracket == std::string_view::npos) {
      if (!body.ends_with("...")) return false;
      out_.device_list_cut = true;
      return true;
    }
    if (out_.devices.size() < most_devices) {
      out_.devices.push_back({*rank, std::string(after("on")), *index, std::string(trimmed(body.substr(bracket + 2)))});
    }
    return true;
  }

  bool header(std::string_view body) {
    if (!contains(body, "algbw")) return false;
    auto found = table_header(words_of(body));
    if (!found) return false;
    const auto& columns = found->columns;
    out_.cpu_time = std::find(columns.begin(), columns.end(), Column::cpu_time) != columns.end();
    header_ = std::move(found);
    return true;
  }

  void start_table() {
    if (interrupted_ && !out_.out_of_bounds) {
      // The scheduler broke the attempt off and started the program again, appending to the same file.
      Output fresh;
      fresh.attempts = out_.attempts + 1;
      fresh.failures = std::move(out_.failures);
      out_ = std::move(fresh);
    }
    interrupted_ = false;
    header_.reset();
    ++out_.tables;
  }

  // Lines worth remembering that end no matter.
  void mention(std::string_view body) {
    if (contains(body, "nThread") && contains(body, "minBytes")) return start_table();
    if (contains(body, "slurmstepd: error:") && contains(body, "CANCELLED")) {
      interrupted_ = true;
    } else if (body.starts_with("NCCL version ")) {
      out_.nccl_version = word_after(body, "NCCL version ");
    } else if (body.starts_with("nccl-tests version ")) {
      out_.nccl_tests_version = word_after(body, "nccl-tests version ");
      out_.nccl_version = version_text(word_after(body, "nccl-library="));
    } else if (body.starts_with("Collective test starting: ")) {
      std::string_view name = word_after(body, "Collective test starting: ");
      if (name.ends_with("_perf")) name.remove_suffix(5);
      out_.collective = name;
    } else if (body.starts_with("Reducing maxBytes to ")) {
      out_.reduction_note = body;
    }
  }

  // How often the rank that is listed most often is listed: processes that each believe to be alone are all rank 0.
  int most_times_listed() const {
    std::vector<std::int64_t> ranks;
    for (const Device& listed : out_.devices) ranks.push_back(listed.rank);
    std::sort(ranks.begin(), ranks.end());
    int most = 0;
    int times = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      times = i > 0 && ranks[i] == ranks[i - 1] ? times + 1 : 1;
      most = std::max(most, times);
    }
    return most;
  }

  Output out_;
  std::optional<TableHeader> header_;
  std::optional<Failure> before_failure_;
  bool open_quote_ = false;
  bool interrupted_ = false;
  int number_ = 0;
};

}  // namespace

std::optional<std::string> cleaned_line(std::string_view raw) {
  const std::string line = without_control_sequences(raw);
  std::string_view rest = line;
  rest.remove_prefix(time_prefix(rest));
  if (!take_rank_tag(rest)) return std::nullopt;
  return std::string(rest);
}

Output parse_output(std::istream& stream) {
  Parser parser;
  for_each_line(stream, [&](std::string_view line, int number, bool complete) { parser.line(line, number, complete); });
  return parser.take();
}

}  // namespace cloudai::nccl_test
