#include "modules/workloads/nccl_test/output.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace cloudai::nccl_test {

namespace {

bool is_wrong(const Side& side) {
  return side.marked || side.wrong.value_or(0) != 0;
}

// A bandwidth that is rounded to 0 can come from a measurement; a time of 0 cannot.
bool is_possible(const Side& side) {
  return !side.no_number && side.time_us.value_or(1) > 0 && side.algbw.value_or(0) >= 0 && side.busbw.value_or(0) >= 0;
}

bool same(const Combination& combination, const Row& row) {
  return combination.type == row.type && combination.redop == row.redop;
}

void add_combination(Output& output, const Row& row) {
  auto& all = output.combinations;
  // The newest is nearly always the one.
  if (!all.empty() && same(all.back(), row)) return;
  const auto known = std::find_if(all.begin(), all.end(), [&](const Combination& one) { return same(one, row); });
  if (known != all.end()) {
    std::iter_swap(known, all.end() - 1);
  } else if (all.size() < most_combinations) {
    all.push_back({row.type, row.redop, row.line});
  }
}

int cycle_of(const Output& output, const Row& row) {
  if (output.rows.empty()) return 1;
  const Row& last = output.rows.back();
  if (last.type != row.type || last.redop != row.redop || last.root != row.root) return 1;
  return row.size < last.size ? last.cycle + 1 : last.cycle;
}

}  // namespace

void add_row(Output& output, Row& row) {
  ++output.row_count;
  output.largest_size = std::max(output.largest_size, row.size);
  output.last_size = row.size;
  for (const Side& side : row.sides) {
    if (!side.busbw) continue;
    output.busbw_sum += *side.busbw;
    output.largest_busbw = std::max(output.largest_busbw, *side.busbw);
    ++output.busbw_count;
  }
  const Side& out = row.sides[out_of_place];
  const Side& in = row.sides[in_place];
  if (!output.first_wrong && (is_wrong(out) || is_wrong(in))) output.first_wrong = row;
  if (!output.first_unchecked && out.unchecked && in.unchecked) output.first_unchecked = row;
  if (!output.first_impossible && !(is_possible(out) && is_possible(in))) output.first_impossible = row;
  add_combination(output, row);
  if (output.rows.size() >= most_rows) return;
  row.cycle = cycle_of(output, row);
  output.rows.push_back(row);
}

std::size_t host_count(const Output& output) {
  std::set<std::string> hosts;
  for (const Device& device : output.devices) hosts.insert(device.host);
  return hosts.size();
}

bool average_fits_rows(const Output& output) {
  if (!output.average || !output.average->value || output.busbw_count == 0) return false;
  const double printed = *output.average->value;
  const double mean = output.busbw_sum / static_cast<double>(output.busbw_count);
  // The table has two decimals, of large numbers one or none; the average has six digits.
  const double largest = output.largest_busbw;
  const double half_a_digit = largest < 1000 ? 0.006 : largest < 10000 ? 0.06 : 0.6;
  return std::abs(printed - mean) <= half_a_digit + 1e-5 * std::abs(printed);
}

}  // namespace cloudai::nccl_test
