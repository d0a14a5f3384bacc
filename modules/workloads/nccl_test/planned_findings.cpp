#include "modules/workloads/nccl_test/planned_findings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "modules/workloads/nccl_test/text.hpp"

namespace cloudai::nccl_test {

namespace {

constexpr const char* launch_hint =
    "Check that the program is built with MPI and started by the launcher of the MPI it is built with.";

// One spelling of a type that has several.
std::string_view plain_type(std::string_view type) {
  if (type == "fp8_e4m3") return "f8e4m3";
  if (type == "fp8_e5m2") return "f8e5m2";
  return type;
}

// A type or operation that nccl-tests does not know becomes its default; then there is nothing to compare with.
bool is_known_type(std::string_view type) {
  constexpr std::array<std::string_view, 12> known{"int8", "uint8", "int32",  "uint32",   "int64",  "uint64",
                                                   "half", "float", "double", "bfloat16", "f8e4m3", "f8e5m2"};
  return std::find(known.begin(), known.end(), plain_type(type)) != known.end();
}

bool is_known_operation(std::string_view operation) {
  constexpr std::array<std::string_view, 6> known{"sum", "prod", "min", "max", "avg", "mulsum"};
  return std::find(known.begin(), known.end(), operation) != known.end();
}

std::string bandwidths_text(const Row& row, const Side& side) {
  return "at size " + std::to_string(row.size) + " the log shows an algorithm bandwidth of " +
         Json(side.algbw.value_or(0)).dump() + " and a bus bandwidth of " + Json(side.busbw.value_or(0)).dump() +
         " GB/s";
}

std::string program_hint(const Request& request) {
  return "Check which program '" + request.program + "' is where the job runs, and whether it understood its options.";
}

Finding other_operation(const Request& request, const Combination& shown) {
  const auto reducing = reduces(request.collective);
  if (!reducing) return std::nullopt;
  const bool shows_none = shown.redop.empty() || shown.redop == "none";
  std::string text;
  if (*reducing && shows_none) {
    text = "the test asks for " + request.collective + " with the operation " + request.redop +
           ", the log shows no operation";
  } else if (!*reducing && is_known_operation(shown.redop)) {
    text = "the test asks for " + request.collective + ", which computes nothing, the log shows the operation " +
           shown.redop;
  } else if (*reducing && is_known_operation(request.redop) && shown.redop != request.redop) {
    text = "the test asks for the operation " + request.redop + ", the log shows " + shown.redop;
  } else {
    return std::nullopt;
  }
  return finding(reason_code::other_benchmark, text, shown.line, program_hint(request));
}

// Ranks are numbered from 0 on.
bool are_consecutive(const std::vector<Device>& devices) {
  std::vector<std::int64_t> ranks;
  for (const Device& device : devices) ranks.push_back(device.rank);
  std::sort(ranks.begin(), ranks.end());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

std::string ranks_on_nodes(std::size_t ranks, std::size_t nodes) {
  return counted(ranks, "rank") + " on " + counted(nodes, "node");
}

// The rows that one sweep printed, by size.
using Rows = std::vector<const Row*>;

std::vector<Rows> sweeps_in(const Output& output) {
  std::map<std::tuple<std::string, std::string, std::optional<std::int64_t>, int>, Rows> sweeps;
  for (const Row& row : output.rows) sweeps[{row.type, row.redop, row.root, row.cycle}].push_back(&row);
  std::vector<Rows> result;
  for (auto& [key, rows] : sweeps) {
    std::stable_sort(rows.begin(), rows.end(), [](const Row* a, const Row* b) { return a->size < b->size; });
    result.push_back(std::move(rows));
  }
  return result;
}

struct Gap {
  std::int64_t size = 0;  // asked for
  const Row* before = nullptr;
  const Row* after = nullptr;
};

// The first size of the sweep that has no row of its own. Sizes beyond `limit` are not looked for.
std::optional<Gap> first_gap(const Rows& rows, const Sweep& sweep, std::int64_t rounding, std::int64_t limit) {
  auto row = rows.begin();
  for (std::optional<std::int64_t> size = sweep.smallest; size && *size <= limit; size = sweep.after(*size)) {
    while (row != rows.end() && (*row)->size <= *size - rounding) ++row;
    if (row != rows.end() && (*row)->size <= *size) {
      ++row;
      continue;
    }
    // What is rounded down to nothing may be printed once, several times or not at all.
    if (*size < rounding) continue;
    return Gap{*size, row == rows.begin() ? nullptr : *(row - 1), row == rows.end() ? nullptr : *row};
  }
  return std::nullopt;
}

std::string gap_text(const Gap& gap, std::int64_t asked) {
  const auto place = [](const Row* row) {
    return std::to_string(row->size) + (row->line > 0 ? " (line " + std::to_string(row->line) + ")" : "");
  };
  std::string text = "the test asks for " + counted(static_cast<std::size_t>(asked), "size") + ", and size " +
                     std::to_string(gap.size) + " was not measured: ";
  if (gap.before == nullptr && gap.after != nullptr) return text + "the table begins with " + place(gap.after);
  if (gap.after == nullptr && gap.before != nullptr) return text + "the table ends with " + place(gap.before);
  if (gap.after == nullptr) return text + "the table has no row for it";
  return text + "the table goes on from " + place(gap.before) + " to " + place(gap.after);
}

}  // namespace

std::optional<Request> request_of(const StageRequest& stage) {
  if (stage.plan.steps.size() != 1 || stage.plan.steps[0].command.argv.empty()) return std::nullopt;
  return request_of(stage.plan.steps[0].command.argv);
}

std::optional<std::int64_t> rounding(const StageRequest& stage, const Request& request, const Output& output) {
  const std::int64_t listed = static_cast<std::int64_t>(output.devices.size());
  return rounding(request, std::max<std::int64_t>(stage.plan.expects.ranks.value_or(0), listed));
}

Finding other_benchmark(const Request& request, const Output& output) {
  if (reduces(request.collective) && !output.collective.empty() && output.collective != request.collective) {
    return finding(reason_code::other_benchmark,
                   "the test asks for " + request.collective + ", the log is of " + output.collective,
                   output.collective_line, program_hint(request));
  }
  for (const Combination& shown : output.combinations) {
    if (is_known_type(request.type) && plain_type(shown.type) != plain_type(request.type)) {
      return finding(reason_code::other_benchmark,
                     "the test asks for the data type " + request.type + ", the log shows " + shown.type, shown.line,
                     program_hint(request));
    }
    if (auto other = other_operation(request, shown)) return other;
  }
  return std::nullopt;
}

Finding other_bandwidth(const StageRequest& stage, const Request& request, const Output& output) {
  // A hundred terabytes a second: no network, and no copy within a machine.
  constexpr double impossible = 1e5;
  const std::int64_t ranks = stage.plan.expects.ranks.value_or(0);
  const auto in_groups = [](const Device& device) { return device.group != 0; };
  const bool has_groups = std::any_of(output.devices.begin(), output.devices.end(), in_groups);
  const auto factor = bus_factor(request.collective, ranks);
  // Below 1 GB/s two decimals tell nothing.
  const auto fits = [&](const Side& side) {
    return has_groups || !factor || *side.algbw < 1 ||
           std::abs(*side.busbw - *factor * *side.algbw) <= 0.02 * *side.algbw + 0.01;
  };
  for (const Row& row : output.rows) {
    for (const Side& side : row.sides) {
      if (!side.algbw || !side.busbw) continue;
      if (ranks > 1 && std::max(*side.algbw, *side.busbw) > impossible) {
        return finding(reason_code::no_measurement,
                       bandwidths_text(row, side) + ", which nothing reaches between " +
                           counted(static_cast<std::size_t>(ranks), "rank"),
                       row.line);
      }
      if (fits(side)) continue;
      const double expected = factor.value_or(0) * *side.algbw;
      return finding(reason_code::other_benchmark,
                     bandwidths_text(row, side) + "; " + request.collective + " between " +
                         counted(static_cast<std::size_t>(ranks), "rank") + " has " +
                         Json(std::round(expected * 100) / 100).dump() + " then",
                     row.line, program_hint(request));
    }
  }
  return std::nullopt;
}

Finding other_sweep(const Request& request, const Output& output) {
  if (!output.sweep) return std::nullopt;
  const Sweep& shown = *output.sweep;
  const auto range = [](const Sweep& sweep) {
    return counted(static_cast<std::size_t>(std::max<std::int64_t>(sweep.count(), 0)), "size") + " from " +
           std::to_string(sweep.smallest) + " to " + std::to_string(sweep.largest);
  };
  if (!request.sweep) {
    if (shown.smallest > shown.largest) return std::nullopt;
    return finding(reason_code::other_benchmark,
                   "which sizes the test asks for cannot be told from its arguments; the log says " + range(shown),
                   std::nullopt, program_hint(request));
  }
  const Sweep& asked = *request.sweep;
  const bool same = shown.smallest == asked.smallest && shown.largest == asked.largest &&
                    (shown.smallest == shown.largest || shown == asked);
  if (same) return std::nullopt;
  return finding(reason_code::other_benchmark, "the test asks for " + range(asked) + ", the log says " + range(shown),
                 std::nullopt, program_hint(request));
}

// Where all types, operations or roots are asked for, one of them is not all; where one root is, it is no other.
Finding missing_kinds(const StageRequest& stage, const Request& request, const Output& output) {
  std::set<std::string_view> types;
  std::set<std::string_view> operations;
  std::set<std::int64_t> roots;
  for (const Combination& shown : output.combinations) {
    types.insert(shown.type);
    operations.insert(shown.redop);
  }
  for (const Row& row : output.rows) {
    if (row.root) roots.insert(*row.root);
  }
  if (request.type == "all" && types.size() == 1) {
    return finding(reason_code::incomplete_output, "the test asks for all data types, the log shows one");
  }
  if (request.redop == "all" && reduces(request.collective).value_or(false) && operations.size() == 1) {
    return finding(reason_code::incomplete_output, "the test asks for all operations, the log shows one");
  }
  const bool rooted = request.collective == "broadcast" || request.collective == "reduce" ||
                      request.collective == "gather" || request.collective == "scatter";
  if (!rooted || !request.root || roots.empty()) return std::nullopt;
  const auto ranks = stage.plan.expects.ranks.value_or(0);
  const auto root = whole_number(*request.root);
  if (root && *root >= 0) {
    if (roots == std::set<std::int64_t>{*root}) return std::nullopt;
    return finding(reason_code::other_benchmark,
                   "the test asks for the root " + *request.root + ", the log shows others", output.rows.front().line);
  }
  if (ranks == 0 || static_cast<int>(roots.size()) == ranks) return std::nullopt;
  return finding(reason_code::incomplete_output, "the test asks for every rank as root, the log shows " +
                                                     std::to_string(roots.size()) + " of " + std::to_string(ranks));
}

Finding missing_ranks(const StageRequest& stage, const Output& output) {
  const auto planned_ranks = static_cast<std::size_t>(stage.plan.expects.ranks.value_or(0));
  const auto planned_nodes = static_cast<std::size_t>(stage.plan.expects.nodes.value_or(0));
  const std::string expected = "expected " + ranks_on_nodes(planned_ranks, planned_nodes) + ", the log shows ";
  if (output.tables > 1) {
    return finding(
        reason_code::ranks_missing,
        expected + std::to_string(output.tables) + " separate tables of processes that did not find each other",
        std::nullopt, launch_hint);
  }
  const std::size_t ranks = output.devices.size();
  const std::size_t nodes = host_count(output);
  if (planned_ranks == 0) return std::nullopt;
  // A list is cut where it is long; one that shows less than half of the ranks says nothing of the others.
  const bool is_enough =
      output.device_list_cut ? ranks <= planned_ranks && 2 * ranks > planned_ranks : ranks == planned_ranks;
  const bool ranks_fit = is_enough && are_consecutive(output.devices);
  const bool nodes_fit =
      planned_nodes == 0 || (output.device_list_cut ? nodes <= planned_nodes : nodes == planned_nodes);
  if (ranks_fit && nodes_fit) return std::nullopt;
  std::string found = std::to_string(ranks);
  if (is_enough && nodes_fit) {
    found += " with other numbers than 0 to " + std::to_string(ranks - 1);
  } else if (ranks == 0) {
    found = "none";
  } else if (nodes != planned_nodes) {
    found = ranks_on_nodes(ranks, nodes);
  }
  return finding(reason_code::ranks_missing, expected + found, std::nullopt, ranks < planned_ranks ? launch_hint : "");
}

Finding missing_size(const StageRequest& stage, const Request& request, const Output& output) {
  const auto slack = rounding(stage, request, output);
  if (!request.sweep || !slack) return std::nullopt;
  const std::int64_t last = request.sweep->last();
  if (output.largest_size <= last - *slack) {
    std::string text = "the largest size measured is " + std::to_string(output.largest_size) + ", the test asks for " +
                       std::to_string(last);
    if (!output.reduction_note.empty()) text += "; the log says: " + output.reduction_note;
    return finding(reason_code::incomplete_output, text);
  }
  // Of an endless output only the first rows are kept; what they do not reach is not missing.
  const bool all_kept = output.row_count == output.rows.size();
  for (const Rows& rows : sweeps_in(output)) {
    const auto gap = first_gap(rows, *request.sweep, *slack, all_kept ? last : rows.back()->size);
    if (!gap) continue;
    if (!chosen_sizes(request, output).empty() && gap->before != nullptr && gap->after != nullptr) continue;
    const Row* const beside = gap->after != nullptr ? gap->after : gap->before;
    return finding(reason_code::incomplete_output, gap_text(*gap, request.sweep->count()),
                   beside == nullptr ? 0 : beside->line);
  }
  return std::nullopt;
}

// Whether a row that is missing would show in the average: it does not where all bandwidths are rounded to nearly the
// same. And whether the rows stand one below the other: what tears a row apart is in the log itself.
bool average_would_tell(const Output& output) {
  double least = output.largest_busbw;
  for (std::size_t i = 0; i < output.rows.size(); ++i) {
    const Row& row = output.rows[i];
    if (i > 0 && (row.cycle != 1 || row.line != output.rows[i - 1].line + 1)) return false;
    for (const Side& side : row.sides) least = std::min(least, side.busbw.value_or(least));
  }
  return output.combinations.size() == 1 && output.largest_busbw - least >= 1;
}

// Some programs print a choice of the sizes they are asked for, and an average over exactly these. A row that was lost
// on its way into the log leaves an average that does not fit, and most of the rows.
std::string chosen_sizes(const Request& request, const Output& output) {
  if (!request.sweep || output.sweep != request.sweep || !average_fits_rows(output)) return {};
  if (!average_would_tell(output)) return {};
  std::set<std::int64_t> sizes;
  for (const Row& row : output.rows) sizes.insert(row.size);
  const auto asked = request.sweep->count();
  if (2 * static_cast<std::int64_t>(sizes.size()) > asked) return {};
  return std::to_string(sizes.size()) + " of the " + std::to_string(asked) + " asked for";
}

}  // namespace cloudai::nccl_test
