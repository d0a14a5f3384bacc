#include "modules/workloads/nccl_test/text_output.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "modules/workloads/nccl_test/banner_lines.hpp"
#include "modules/workloads/nccl_test/line_prefix.hpp"
#include "modules/workloads/nccl_test/line_reader.hpp"
#include "modules/workloads/nccl_test/phrase_finder.hpp"
#include "modules/workloads/nccl_test/table_row.hpp"
#include "modules/workloads/nccl_test/text.hpp"

namespace cloudai::nccl_test {

namespace {

constexpr std::size_t most_failures = 16;
constexpr std::size_t most_devices = 100000;
constexpr std::size_t most_further_facts = 16;
constexpr std::size_t longest_quote = 1000;

// What matters wherever it stands in a line: other output may come before it.
enum Phrase : std::uint32_t {
  nccl_failure = 1U << 0U,
  cuda_failure = 1U << 1U,
  other_failure = 1U << 2U,
  bounds_line = 1U << 3U,
  average_line = 1U << 4U,
  scheduler_error = 1U << 5U,
  nccl_warning = 1U << 6U,
  nccl_version = 1U << 7U,
  rccl_version = 1U << 8U,
  driver_version = 1U << 9U
};

constexpr std::string_view bounds_phrase = "Out of bounds values : ";
constexpr std::string_view average_phrase = "Avg bus bandwidth";
constexpr std::string_view nccl_version_phrase = "NCCL version ";
constexpr std::string_view rccl_version_phrase = "RCCL version ";
constexpr std::string_view driver_version_phrase = "cudaDriverVersion ";

// In the order of the bits.
const PhraseFinder& phrases() {
  static const PhraseFinder finder({"Test NCCL failure", "Test CUDA failure", "Test failure", bounds_phrase,
                                    average_phrase, "slurmstepd: error:", "NCCL WARN ", nccl_version_phrase,
                                    rccl_version_phrase, driver_version_phrase});
  return finder;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string excerpt(std::string_view text) {
  return std::string(text.substr(0, longest_quote));
}

// A code that is not as long as codes are is shown as it is.
std::string nccl_version_of(std::string_view code) {
  const auto value = whole_number(code);
  return value && *value >= 10000 ? nccl_version_text(*value) : std::string(code);
}

class Parser {
 public:
  void line(std::string_view raw, int number, bool complete) {
    number_ = number;
    complete_ = complete;
    const LineContent content = content_of(raw, scratch_);
    if (content.is_stderr) {
      warn(content.text);
      return;
    }
    // Some programs print the table without the '#' that marks everything but rows.
    const std::string_view text = trimmed(content.text);
    if (text.empty()) return;
    const bool hashed = text.front() == '#';
    const std::string_view body = hashed ? trimmed(text.substr(1)) : text;
    if (open_quote_ && continue_failure(body)) return;
    if (!hashed && header_ && row(body, complete)) return;
    if (opening(body)) return;
    if (const std::uint32_t found = phrases().occurring(body)) {
      if (matter(body, found)) return;
    } else if (hashed && out_.footers > 0) {
      further_fact(body);
    }
    if (!hashed) {
      before_failure_line_ = number;
      before_failure_ = body;
    }
  }

  Output take() { return std::move(out_); }

 private:
  // True: a row, and nothing else.
  bool row(std::string_view body, bool complete) {
    if (std::isdigit(static_cast<unsigned char>(body.front())) == 0) return false;
    words_.split(body);
    if (complete && read_row(*header_, words_, row_)) {
      row_.line = number_;
      add_row(out_, row_);
      return true;
    }
    if (!begins_as_row(words_)) return false;
    if (!complete) {
      out_.cut_row = true;
      return true;
    }
    if (out_.malformed_rows++ == 0) out_.first_malformed_line = number_;
    return false;
  }

  // Lines that are known by how they begin.
  bool opening(std::string_view body) {
    if (body.empty()) return false;
    switch (body.front()) {
      case 'n':
        return banner(body);
      case 'r':
        if (!body.starts_with("rccl-tests: Version ")) return false;
        out_.nccl_tests_version = "rccl-tests " + std::string(word_after(body, "Version "));
        return true;
      case 'R':
        return device(body) || reduction(body);
      case '[':
        return reduction(body);
      case 'C':
        return start_line(body);
      case 's':
      case 'S':
      case 'b':
      case 'B':
        return header(body);
      default:
        return false;
    }
  }

  bool banner(std::string_view body) {
    if (body.starts_with("nccl-tests version ")) {
      out_.nccl_tests_version = word_after(body, "nccl-tests version ");
      out_.nccl_version = nccl_version_of(word_after(body, "nccl-library="));
      return true;
    }
    if (!body.starts_with("nThread") || !contains(body, "minBytes")) return false;
    start_table();
    out_.sweep = announced_sweep(body);
    return true;
  }

  void start_table() {
    if (!broken_off_by_.empty() && !out_.out_of_bounds) {
      // The scheduler broke the attempt off and started the program again, appending to the same file.
      Output fresh;
      fresh.attempts = out_.attempts + 1;
      fresh.failures = std::move(out_.failures);
      fresh.broken_off_by = broken_off_by_;
      out_ = std::move(fresh);
    }
    broken_off_by_.clear();
    header_.reset();
    ++out_.tables;
  }

  bool start_line(std::string_view body) {
    if (!body.starts_with("Collective test starting: ")) return false;
    std::string_view name = word_after(body, "starting: ");
    if (name.ends_with("_perf")) name.remove_suffix(5);
    out_.collective = name;
    out_.collective_line = number_;
    return true;
  }

  bool reduction(std::string_view body) {
    if (!body.starts_with("Reducing maxBytes to ") && !body.starts_with("[0] Reducing maxBytes to ")) return false;
    out_.reduction_note = body.substr(body.find("Reducing"));
    return true;
  }

  bool device(std::string_view body) {
    if (!body.starts_with("Rank ")) return false;
    DeviceLine line = device_line(body);
    out_.device_list_cut = out_.device_list_cut || line.cut;
    if (line.device && out_.devices.size() < most_devices) out_.devices.push_back(std::move(*line.device));
    return line.cut || line.device;
  }

  bool header(std::string_view body) {
    if (!contains(body, "algbw")) return false;
    words_.split(body);
    auto found = table_header(words_);
    if (!found) return false;
    out_.cpu_time = has_column(*found, Column::cpu_time);
    if (found->microseconds != 1) out_.format = "2017";
    header_ = std::move(found);
    return true;
  }

  // False: a line that may be the cause of a failure reported after it.
  bool matter(std::string_view body, std::uint32_t found) {
    const bool cause = (found & (nccl_failure | cuda_failure)) != 0;
    if (cause || (found & other_failure) != 0) {
      failure(body, cause);
      return true;
    }
    if ((found & bounds_line) != 0) bounds(body);
    if ((found & average_line) != 0) average(body);
    if ((found & scheduler_error) != 0) broken_off(body);
    if ((found & nccl_warning) != 0) warn(body);
    if ((found & nccl_version) != 0) out_.nccl_version = word_after(body, nccl_version_phrase);
    if ((found & rccl_version) != 0) rccl(body);
    if ((found & driver_version) != 0) driver(body);
    return (found & (bounds_line | average_line)) != 0;
  }

  // The failure text of NCCL may contain newlines; its closing quote is then on a later line.
  bool continue_failure(std::string_view body) {
    std::string& text = out_.failures.back().text;
    const bool closes = contains(body, "'");
    open_quote_ = !closes && text.size() < longest_quote;
    if (!body.empty() && body != "'") text += " " + excerpt(body);
    return true;
  }

  void failure(std::string_view body, bool names_cause) {
    if (out_.failures.size() >= most_failures) return;
    if (!names_cause && out_.failures.empty() && body.starts_with("..") && before_failure_line_ > 0) {
      // A trace line only says where; the line before it says what.
      out_.failures.push_back({before_failure_line_, excerpt(before_failure_)});
    }
    // Trace lines that follow a cause add nothing to it.
    if (!names_cause && !out_.failures.empty()) return;
    out_.failures.push_back({number_, excerpt(body)});
    open_quote_ = std::count(body.begin(), body.end(), '\'') % 2 == 1;
  }

  void bounds(std::string_view body) {
    // Each table has one.
    out_.tables = std::max(out_.tables, ++out_.footers);
    const Words words(text_after(body, bounds_phrase));
    const bool ok = words.size() >= 2 && words[0] == "0" && words[1] == "OK";
    // One of several tables that is bad is enough.
    if (out_.out_of_bounds && !out_.out_of_bounds->ok) return;
    out_.out_of_bounds = {number_, std::string(words.empty() ? std::string_view{} : words[0]), ok};
  }

  void average(std::string_view body) {
    const std::string_view rest = text_after(body, average_phrase);
    const Words words(rest);
    // Of a line that is cut "FAILED" may be what is missing.
    if (words.empty() || words[0] != ":" || !complete_) return;
    if (out_.average && out_.average->failed) return;
    out_.average = {number_, words.size() > 1 ? number(words[1]) : std::nullopt, contains(rest, "FAILED")};
    // The table is over: what other programs print below it is no row, whatever it begins with.
    header_.reset();
  }

  // "slurmstepd: error: *** JOB 1 ON node007 CANCELLED AT … DUE TO NODE FAILURE, SEE … ***"
  void broken_off(std::string_view body) {
    if (!contains(body, "CANCELLED")) return;
    const std::string_view cause = text_after(body, "DUE TO ");
    broken_off_by_ = trimmed(cause.substr(0, cause.find_first_of(",*")));
    if (broken_off_by_.empty()) broken_off_by_ = "cancellation";
  }

  void warn(std::string_view body) {
    if (++out_.warnings == 1) out_.first_warning = {number_, excerpt(body)};
  }

  void driver(std::string_view body) {
    const auto code = whole_number(word_after(body, driver_version_phrase));
    if (code && *code >= 1000) out_.driver_version = driver_version_text(*code);
  }

  void rccl(std::string_view body) {
    const Words words(text_after(body, rccl_version_phrase));
    const std::size_t at = !words.empty() && words[0] == ":" ? 1 : 0;
    if (words.size() > at) out_.nccl_version = "RCCL " + std::string(words[at]);
  }

  // What newer versions add after the table: "GPU memory usage     : …".
  void further_fact(std::string_view body) {
    const std::size_t colon = body.find(" : ");
    if (colon == std::string_view::npos || out_.further_facts.size() >= most_further_facts) return;
    out_.further_facts.emplace_back(excerpt(trimmed(body.substr(0, colon))), excerpt(trimmed(body.substr(colon + 3))));
  }

  Output out_;
  std::optional<TableHeader> header_;
  Row row_;
  Words words_;
  std::string scratch_;
  int before_failure_line_ = 0;
  std::string before_failure_;
  bool open_quote_ = false;
  std::string broken_off_by_;
  int number_ = 0;
  bool complete_ = true;
};

}  // namespace

Output parse_text_output(std::istream& stream) {
  Parser parser;
  for_each_line(stream, [&](std::string_view line, int number, bool complete) { parser.line(line, number, complete); });
  return parser.take();
}

}  // namespace cloudai::nccl_test
