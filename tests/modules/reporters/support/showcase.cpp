#include "tests/modules/reporters/support/showcase.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/modules/reporters/support/sample_results.hpp"

namespace cloudai::samples {

namespace fs = std::filesystem;

namespace {

constexpr std::array<const char*, 2> times{"Time (us) Out-of-place", "Time (us) In-place"};
constexpr std::array<const char*, 2> bandwidths{"Busbw (GB/s) Out-of-place", "Busbw (GB/s) In-place"};
constexpr std::array<const char*, 2> wrong{"#Wrong Out-of-place", "#Wrong In-place"};

double two_decimals(double value) {
  return std::round(value * 100) / 100;
}

// Small messages are bound by latency, large ones by the wire.
double time_of(double size, double peak, double wobble) {
  const double ripple = 1 + 0.04 * std::sin(std::log2(size) * 1.7 + wobble) + 0.02 * wobble;
  return (14.5 + std::sqrt(size) / 200 + size / (peak * 1000)) * ripple;
}

void add_side(std::vector<Json>& cells, double size, double peak, double wobble) {
  const double time = two_decimals(time_of(size, peak * 8 / 15, wobble));
  const double algbw = two_decimals(size / time / 1000);
  cells.insert(cells.end(), {time, algbw, two_decimals(algbw * 1.875), 0});
}

std::string size_text(std::int64_t size) {
  constexpr std::array<const char*, 4> units{"B", "KB", "MB", "GB"};
  std::size_t unit = 0;
  for (; size >= 1024 && unit + 1 < units.size(); ++unit) size /= 1024;
  return std::to_string(size) + units.at(unit);
}

Table nccl_table(int rows, double peak, double wobble) {
  const auto text = ColumnType::text;
  const auto integer = ColumnType::integer;
  const auto number = ColumnType::number;
  Table table;
  table.name = "nccl_test";
  table.columns = {{"Size (B)", "", integer},
                   {"Count", "", integer},
                   {"Type", "", text},
                   {"Redop", "", text},
                   {"Root", "", integer},
                   {times[0], "", number},
                   {"Algbw (GB/s) Out-of-place", "", number},
                   {bandwidths[0], "", number},
                   {wrong[0], "", integer},
                   {times[1], "", number},
                   {"Algbw (GB/s) In-place", "", number},
                   {bandwidths[1], "", number},
                   {wrong[1], "", integer},
                   {"GPU Type", "", text},
                   {"Devices per Node", "", integer},
                   {"Ranks", "", integer},
                   {"Size Human-readable", "", text}};
  for (int i = 0; i < rows; ++i) {
    const std::int64_t size = std::int64_t{8} << i;
    std::vector<Json> cells{size, size / 4, "float", "sum", -1};
    add_side(cells, static_cast<double>(size), peak, wobble);
    add_side(cells, static_cast<double>(size), peak * 0.97, wobble + 0.8);
    cells.insert(cells.end(), {"NVIDIA H100 80GB HBM3", 8, 16, size_text(size)});
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Plot nccl_plot(const char* title, const std::array<const char*, 2>& columns, Scale y_scale) {
  Plot plot;
  plot.title = title;
  plot.table = "nccl_test";
  plot.x = "Size (B)";
  plot.y = {columns.begin(), columns.end()};
  plot.x_scale = Scale::log;
  plot.y_scale = y_scale;
  plot.dashed = {columns[1]};
  for (std::size_t side = 0; side < columns.size(); ++side) plot.failed[columns[side]] = wrong[side];
  return plot;
}

Reason wrong_values() {
  return {"out_of_bounds",
          "wrong values: 11 elements at size 4194304, out-of-place; '# Out of bounds values : 3 FAILED'",
          "Look for a link with errors between node017 and node018, then run the test on each node alone.",
          {{"stdout.txt", 24}}};
}

Reason too_slow() {
  return {"below_minimum",
          "bus bandwidth at size 8589934592, in-place: measured 295.46 < limit 330 GB/s",
          "",
          {{"stdout.txt", 35}}};
}

// As nccl-tests prints it, so that line numbers are those of a log.
std::string log_of(const Outcome& outcome) {
  std::string log =
      "# nThread 1 nGpus 1 minBytes 8 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20\n#\n# Using "
      "devices\n#\n";
  for (const auto& row : outcome.tables.at(0).rows) {
    std::array<char, 200> line{};
    std::snprintf(line.data(), line.size(), "%12s %12s   float   sum  -1 %9s %7s %7s %6s %9s %7s %7s %6s\n",
                  row[0].dump().c_str(), row[1].dump().c_str(), row[5].dump().c_str(), row[6].dump().c_str(),
                  row[7].dump().c_str(), row[8].dump().c_str(), row[9].dump().c_str(), row[10].dump().c_str(),
                  row[11].dump().c_str(), row[12].dump().c_str());
    log += line.data();
  }
  return log + "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 112.7\n#\n";
}

void put(const fs::path& directory, Json& summary, Json run, const Outcome& main) {
  const std::string folder = run["directory"];
  if (run.contains("outcome")) {
    Json document = {{"schema", "cloudai.run_outcome/1"}, {"id", run["id"]}, {"stages", Json::array()}};
    for (const Json& stage : run["stages"]) {
      if (stage["status"] == "skipped") continue;
      const bool is_main = stage["kind"] == "main";
      const Outcome outcome = is_main ? main : nccl_outcome("all_reduce", 12, 180, 0.1);
      document["stages"].push_back(
          {{"kind", stage["kind"]}, {"name", stage["name"]}, {"directory", stage["directory"]}, {"outcome", outcome}});
      write_file(directory / stage["stdout"].get<std::string>(), log_of(outcome));
      write_file(directory / stage["stderr"].get<std::string>(), "");
    }
    write_file(directory / run["outcome"].get<std::string>(), document.dump(1));
  }
  summary["runs"].push_back(std::move(run));
}

void set_nodes(Json& run, const std::string& second_driver) {
  run["nodes"]["actual"][0]["facts"] = {{"system.linux_kernel_version", "6.1.0-18-amd64"}, {"gpu.driver", "550.54.15"}};
  run["nodes"]["actual"][1]["facts"] = {{"system.linux_kernel_version", "6.1.0-18-amd64"},
                                        {"gpu.driver", second_driver}};
}

Json iteration(int number, double busbw) {
  Json run = passed_run("all-reduce", "nccl_all_reduce", busbw);
  const std::string first = "all-reduce/0";
  const std::string folder = "all-reduce/" + std::to_string(number);
  std::string text = run.dump();
  for (std::size_t at = text.find(first); at != std::string::npos; at = text.find(first, at + folder.size())) {
    text.replace(at, first.size(), folder);
  }
  run = Json::parse(text);
  run["iteration"] = number;
  run["headline"][0]["labels"] = {{"collective", "all_reduce"}, {"size", "8589934592"}, {"placement", "out"}};
  run["headline"][0]["stage"] = "main/nccl_all_reduce";
  set_nodes(run, "550.54.15");
  return run;
}

Json unsuccessful(const std::string& id, const std::string& test, const Reason& reason) {
  Json run = passed_run(id, test, 100);
  run["status"] = "failed";
  run["reason"] = reason;
  run["headline"] = Json::array();
  run["stages"][1]["status"] = "failed";
  run["stages"][1]["reason"] = reason;
  set_nodes(run, "535.161.08");
  return run;
}

Json stopped_by_prologue() {
  Json run = passed_run("alltoall", "nccl_alltoall", 100);
  const Reason reason{"ranks_missing", "expected 16 ranks on 2 nodes, the log shows 8", "", {{"stdout.txt", 3}}};
  run["status"] = "failed";
  run["reason"] = Reason{"prologue_failed", "prologue nccl_test_all_reduce failed: " + reason.text, "", {}};
  run["headline"] = Json::array();
  run["stages"][0]["status"] = "failed";
  run["stages"][0]["reason"] = reason;
  for (const std::size_t stage : {1U, 2U}) {
    run["stages"][stage]["status"] = "skipped";
    for (const char* key : {"seconds", "exit_status"}) run["stages"][stage].erase(key);
  }
  run["hook_share"] = 1.0;
  return run;
}

}  // namespace

Outcome nccl_outcome(const std::string& collective, int rows, double peak, double wobble) {
  Outcome outcome;
  outcome.tables = {nccl_table(rows, peak, wobble)};
  outcome.plots = {nccl_plot("Bus bandwidth", bandwidths, Scale::linear),
                   nccl_plot("Time of small messages", times, Scale::log)};
  outcome.plots[1].x_max = 65536;
  outcome.facts = {{"collective", collective},
                   {"gpu_type", "NVIDIA H100 80GB HBM3"},
                   {"ranks", "16"},
                   {"nodes", "2"},
                   {"devices_per_node", "8"},
                   {"nccl_version", "2.21.5"}};
  return outcome;
}

void write_showcase(const fs::path& directory) {
  Json json = summary("nightly acceptance");
  const Reference limit{"min_busbw", 330, 8589934592.0, true};
  const Reference ideal{"speed of light", 450, std::nullopt, false};
  for (int number = 0; number < 5; ++number) {
    Outcome outcome = nccl_outcome("all_reduce", 31, 400, 0.7 * number);
    outcome.plots[0].references = {limit, ideal};
    put(directory, json, iteration(number, outcome.tables[0].rows[30][7].get<double>()), outcome);
  }
  Outcome bad = nccl_outcome("all_gather", 31, 390, 0.2);
  for (const int row : {19, 20, 21}) bad.tables[0].rows[static_cast<std::size_t>(row)][8] = row - 8;
  bad.verdict = Verdict::failed;
  bad.reason = wrong_values();
  put(directory, json, unsuccessful("all-gather", "nccl_all_gather", wrong_values()), bad);
  Outcome slow = nccl_outcome("reduce_scatter", 31, 320, 0.2);
  slow.plots[0].references = {limit, ideal};
  slow.verdict = Verdict::failed;
  slow.reason = too_slow();
  put(directory, json, unsuccessful("reduce-scatter", "nccl_reduce_scatter", too_slow()), slow);
  put(directory, json, stopped_by_prologue(), {});
  put(directory, json,
      unsuccessful_run("gather", "nccl_gather", "skipped",
                       {"dependency_failed", "It depends on alltoall, which did not pass.", "", {}}),
      {});
  count_runs(json);
  write_file(directory / "summary.json", json.dump(1));
}

}  // namespace cloudai::samples
