#include "modules/workloads/nccl_test/json_output.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "modules/workloads/nccl_test/banner_lines.hpp"
#include "modules/workloads/nccl_test/bounded_tokens.hpp"
#include "modules/workloads/nccl_test/request.hpp"
#include "modules/workloads/nccl_test/text.hpp"

namespace cloudai::nccl_test {

namespace {

constexpr std::size_t most_devices = 100000;
constexpr std::size_t most_failures = 16;
constexpr std::size_t deepest = 32;

// A number may be printed as text, padded ("    -1") or not a number at all ("nan").
struct Scalar {
  std::optional<double> number;
  std::string text;
  bool null = false;

  std::optional<std::int64_t> whole() const {
    if (number && std::abs(*number) < 9e15) return static_cast<std::int64_t>(*number);
    return std::nullopt;
  }
};

// Follows the document as it is read, so that none of it but what is needed is in memory.
class Reader : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return value({std::nullopt, {}, true}); }
  bool boolean(bool is_true) override { return value({std::nullopt, is_true ? "true" : "false"}); }
  bool number_integer(number_integer_t number) override { return value({static_cast<double>(number), {}}); }
  bool number_unsigned(number_unsigned_t number) override { return value({static_cast<double>(number), {}}); }
  bool number_float(number_float_t number, const string_t&) override { return value({number, {}}); }
  bool string(string_t& text) override {
    const std::string_view words = trimmed(text);
    return value({nccl_test::number(words), std::string(words)});
  }
  bool binary(binary_t&) override { return true; }

  bool start_object(std::size_t) override {
    if (in_results() || in_devices()) {
      row_ = {};
      device_ = {};
    }
    return enter();
  }
  bool start_array(std::size_t) override { return enter(); }
  bool key(string_t& name) override {
    path_.back() = name;
    return true;
  }
  bool end_array() override {
    path_.pop_back();
    return true;
  }
  bool end_object() override {
    path_.pop_back();
    if (in_results()) {
      if (is_complete(row_.sides[out_of_place]) && is_complete(row_.sides[in_place]) && measures(row_)) {
        add_row(out_, row_);
      } else {
        ++out_.malformed_rows;
      }
    } else if (in_devices() && out_.devices.size() < most_devices) {
      out_.devices.push_back(device_);
    } else if (path_.empty()) {
      end_line();
      if (std::exchange(is_document_, false)) out_.tables = std::max(out_.tables, ++documents_);
    }
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

  // The text is no JSON from here on.
  void damaged() { out_.damaged_document = true; }

  // Nothing unless something of nccl-tests was found.
  std::optional<Output> take() {
    flush();
    if (!known_) return std::nullopt;
    out_.tables = std::max(out_.tables, 1);
    return std::move(out_);
  }

 private:
  bool enter() {
    path_.emplace_back();
    return path_.size() <= deepest;
  }

  // Nothing of a placement that was not measured, else all of it.
  static bool is_complete(const Side& side) {
    const bool checked = side.wrong || side.unchecked;
    if (side.no_number) return true;
    const bool any = side.time_us || side.algbw || side.busbw || checked;
    return !any || (side.time_us && side.algbw && side.busbw && checked);
  }

  static bool measures(const Row& row) {
    return std::any_of(row.sides.begin(), row.sides.end(),
                       [](const Side& side) { return side.busbw || side.no_number; });
  }

  bool at(std::size_t depth, std::string_view name) const { return path_.size() > depth && path_[depth] == name; }
  bool in_results() const { return path_.size() == 2 && at(0, "results"); }
  bool in_devices() const { return path_.size() == 3 && at(0, "config") && at(1, "devices"); }

  bool value(const Scalar& scalar) {
    if (path_.empty()) return false;
    const std::string& name = path_.back();
    if (path_.size() > 1 && (at(0, "results") || at(0, "config") || at(0, "out_of_bounds"))) {
      is_document_ = is_document_ || has_version_;
      known_ = known_ || is_document_;
    }
    if (path_.size() == 1) {
      top_level(name, scalar);
    } else if (at(0, "results")) {
      result(name, scalar);
    } else if (at(0, "config")) {
      configuration(name, scalar);
    } else if (at(0, "out_of_bounds")) {
      bounds(name, scalar);
    } else if (at(0, "average_bus_bandwidth") || at(0, "average_bus_bandwidith")) {
      average(name, scalar);
    } else if (at(0, "args") && out_.collective.empty()) {
      out_.collective = collective_of(scalar.text);
    } else if (at(0, "errors") && !scalar.text.empty() && out_.failures.size() < most_failures) {
      out_.failures.push_back({0, scalar.text});
    }
    return true;
  }

  void top_level(const std::string& name, const Scalar& scalar) {
    if (name == "version" && scalar.whole()) {
      out_.format = "json " + std::to_string(*scalar.whole());
      has_version_ = true;
    } else if (name == "errors" && !scalar.text.empty()) {
      out_.failures.push_back({0, scalar.text});
    } else if (name == "nccl_version" && scalar.whole()) {
      out_.nccl_version = nccl_version_text(*scalar.whole());
    } else if (name == "inPlace") {
      side_ = scalar.whole().value_or(0) != 0 ? in_place : out_of_place;
    } else if (name == "name") {
      name_ = scalar.text;
    } else if (!row_value(name, scalar)) {
      if (name == "algBw") line_.algbw = scalar.number;
      if (name == "busBw") line_.busbw = scalar.number;
      if (name == "time") line_.time_us = scalar.number;
      if (name == "#wrong") line_.wrong = scalar.number;
    }
  }

  bool row_value(const std::string& name, const Scalar& scalar) {
    if (name == "size") {
      row_.size = scalar.whole().value_or(0);
    } else if (name == "count") {
      row_.count = scalar.whole().value_or(0);
    } else if (name == "type") {
      row_.type = scalar.text;
    } else if (name == "redop") {
      row_.redop = scalar.text;
    } else if (name == "root") {
      row_.root = scalar.whole();
    } else {
      return false;
    }
    return true;
  }

  void result(const std::string& name, const Scalar& scalar) {
    if (path_.size() == 3) {
      row_value(name, scalar);
      return;
    }
    if (path_.size() != 4) return;
    Side& side = row_.sides[at(2, "in_place") ? in_place : out_of_place];
    const bool is_cpu_time = name == "cpu_time";
    out_.cpu_time = out_.cpu_time || is_cpu_time;
    const bool measured = name == "time" || is_cpu_time || name == "alg_bw" || name == "bus_bw";
    if (measured && !scalar.number) side.no_number = true;
    if (name == "time" || is_cpu_time) side.time_us = scalar.number;
    if (name == "alg_bw") side.algbw = scalar.number;
    if (name == "bus_bw") side.busbw = scalar.number;
    if (name == "nwrong") {
      side.wrong = scalar.number;
      side.unchecked = !scalar.number;
    }
  }

  void configuration(const std::string& name, const Scalar& scalar) {
    if (path_.size() == 4 && at(1, "devices")) {
      if (name == "rank") device_.rank = scalar.whole().value_or(-1);
      if (name == "group") device_.group = scalar.whole().value_or(0);
      if (name == "hostname") device_.host = scalar.text;
      if (name == "device") device_.device = scalar.whole().value_or(0);
      if (name == "device_info") device_.name = scalar.text;
    } else if (path_.size() == 2 && scalar.whole()) {
      const std::int64_t number = *scalar.whole();
      if (name == "minimum_bytes") sweep().smallest = number;
      if (name == "maximum_bytes") sweep().largest = number;
      if (name == "step_bytes") sweep().step = number;
      if (name == "step_factor" && number > 1) {
        sweep().step = number;
        sweep().multiplies = true;
      }
    }
  }

  Sweep& sweep() { return out_.sweep ? *out_.sweep : out_.sweep.emplace(); }

  void bounds(const std::string& name, const Scalar& scalar) {
    if (!out_.out_of_bounds) out_.out_of_bounds.emplace();
    OutOfBounds& bounds = *out_.out_of_bounds;
    if (name == "count") bounds.count = scalar.whole() ? std::to_string(*scalar.whole()) : scalar.text;
    if (name == "okay") bounds_okay_ = scalar.text == "true";
    bounds.ok = bounds_okay_ && bounds.count == "0";
    out_.footers = 1;
  }

  void average(const std::string& name, const Scalar& scalar) {
    if (!out_.average) out_.average.emplace();
    if (name == "bandwidth" || name == "bandwidith") out_.average->value = scalar.number;
    if (name == "okay") out_.average->failed = scalar.text == "false";
  }

  // An object of rccl-tests is over: the other placement of the row before it, or a row of its own.
  void end_line() {
    if (line_.busbw) {
      known_ = true;
      out_.format = "json lines";
      if (out_.collective.empty()) out_.collective = collective_of_name(name_);
      const bool same = pending_ && side_ == in_place && pending_->size == row_.size && pending_->type == row_.type &&
                        pending_->redop == row_.redop && !pending_->sides[in_place].busbw;
      if (!same) {
        flush();
        pending_ = row_;
      }
      pending_->sides[side_] = line_;
    }
    line_ = {};
    row_ = {};
    side_ = out_of_place;
  }

  void flush() {
    if (pending_) add_row(out_, *pending_);
    pending_.reset();
  }

  // "AllReduce" → "all_reduce"
  static std::string collective_of_name(std::string_view name) {
    if (name == "AlltoAll" || name == "AllToAll") return "alltoall";
    if (name == "SendRecv") return "sendrecv";
    std::string result;
    for (const char c : name) {
      const bool upper = c >= 'A' && c <= 'Z';
      if (upper && !result.empty()) result += '_';
      result += upper ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return result;
  }

  Output out_;
  std::vector<std::string> path_;  // the key that is read at each depth; "" in an array
  Row row_;
  Device device_;
  bool has_version_ = false;
  bool is_document_ = false;  // the object that is read is one of nccl-tests
  int documents_ = 0;
  bool known_ = false;
  bool bounds_okay_ = false;

  Side line_;
  std::size_t side_ = out_of_place;
  std::string name_;
  std::optional<Row> pending_;
};

}  // namespace

std::optional<Output> parse_json_output(std::istream& stream) {
  BoundedTokens bounded(*stream.rdbuf());
  std::istream document(&bounded);
  Reader reader;
  // rccl-tests writes one object after the other.
  while (document >> std::ws && document.peek() == '{') {
    if (!nlohmann::json::sax_parse(document, &reader, nlohmann::json::input_format_t::json, false)) {
      reader.damaged();
      break;
    }
  }
  if (document.peek() != std::istream::traits_type::eof()) reader.damaged();
  return reader.take();
}

}  // namespace cloudai::nccl_test
