#include "tests/modules/reporters/support/sample_results.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

namespace cloudai::samples {

namespace fs = std::filesystem;

void write_file(const fs::path& file, const std::string& content) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << content;
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

namespace {

// Small messages are bound by latency, large ones by the wire; a ripple keeps the lines from lying on each other.
double time_of(double size, double peak, bool in_place) {
  const double ripple = 1 + 0.06 * std::sin(std::log2(size) * 1.7 + (in_place ? 0.0 : 1.3));
  return (14.5 + size / (peak * 1000)) * ripple;
}

std::vector<Json> collective_row(double size, double peak) {
  const auto bandwidth = [&](double microseconds) { return std::round(size / microseconds / 10) / 100; };
  const double out_of_place = std::round(time_of(size, peak, false) * 100) / 100;
  const double in_place = std::round(time_of(size, peak, true) * 100) / 100;
  return {static_cast<std::int64_t>(size), "float",  out_of_place,
          bandwidth(out_of_place),         in_place, bandwidth(in_place)};
}

}  // namespace

Outcome collective_outcome(const std::string& collective, int rows, double peak) {
  Table table{"collective",
              {{"Size", "B", ColumnType::integer},
               {"Type", "", ColumnType::text},
               {"Time out-of-place", "us", ColumnType::number},
               {"Busbw out-of-place", "GB/s", ColumnType::number},
               {"Time in-place", "us", ColumnType::number},
               {"Busbw in-place", "GB/s", ColumnType::number}},
              {}};
  Outcome outcome;
  for (int i = 0; i < rows; ++i) {
    const double size = std::exp2(3 + i);
    table.rows.push_back(collective_row(size, peak));
    Metric metric{"busbw", table.rows.back()[5].get<double>(), "GB/s", Better::higher, false, {}};
    metric.labels = {{"collective", collective}, {"placement", "in"}, {"size", std::to_string(1LL << (3 + i))}};
    outcome.metrics.push_back(metric);
  }
  outcome.tables = {table};
  outcome.plots = {
      {"Bus bandwidth", "collective", "Size", {"Busbw out-of-place", "Busbw in-place"}, Scale::log, Scale::linear},
      {"Time", "collective", "Size", {"Time out-of-place", "Time in-place"}, Scale::log, Scale::log}};
  outcome.facts = {{"Ranks", "16"}, {"Collective", collective}};
  return outcome;
}

namespace {

Json stage(const std::string& run_directory, const std::string& kind, const std::string& name, double seconds) {
  const std::string directory = kind == "main" ? run_directory : run_directory + "/" + kind + "/" + name;
  Json json = {{"kind", kind}, {"name", name}, {"directory", directory}, {"status", "passed"}};
  json["seconds"] = seconds;
  json["exit_status"] = 0;
  json["stdout"] = directory + "/stdout.txt";
  json["stderr"] = directory + "/stderr.txt";
  json["started"] = "2026-03-01T12:00:01.000Z";
  json["ended"] = "2026-03-01T12:00:07.000Z";
  json["time_limit"] = 1200;
  return json;
}

Json base_run(const std::string& test_case, const std::string& test, const std::string& status) {
  Json run = {{"id", test_case + "/0"},
              {"case", test_case},
              {"iteration", 0},
              {"step", 0},
              {"test", test},
              {"workload", "NcclTest"},
              {"description", "Collective over all ranks of both nodes"},
              {"directory", test_case + "/0"},
              {"status", status}};
  run["dependencies"] = Json::array();
  run["attempts"] = Json::array();
  run["stages"] = Json::array();
  run["nodes"] = {{"requested", {{"count", 2}}}};
  run["nodes"]["actual"] =
      Json::array({{{"name", "node017"}, {"state", "ok"}}, {{"name", "node018"}, {"state", "ok"}}});
  run["time_limit"] = 1200;
  return run;
}

}  // namespace

Json passed_run(const std::string& test_case, const std::string& test, double peak) {
  Json run = base_run(test_case, test, "passed");
  const std::string directory = test_case + "/0";
  run["job"] = "4711";
  run["started"] = "2026-03-01T12:00:00.000Z";
  run["ended"] = "2026-03-01T12:01:36.400Z";
  run["seconds"] = 96.4;
  run["hook_share"] = 0.21;
  run["outcome"] = directory + "/outcome.json";
  run["headline"] = Json::array({{{"name", "busbw"},
                                  {"value", peak * 0.97},
                                  {"unit", "GB/s"},
                                  {"better", "higher"},
                                  {"labels", {{"size", "8589934592"}}},
                                  {"stage", "main/" + test}}});
  run["attempts"] = Json::array({{{"directory", directory}, {"status", "passed"}, {"job", "4711"}, {"seconds", 96.4}}});
  run["stages"] =
      Json::array({stage(directory, "prologue", "nccl_test_all_reduce", 12.1), stage(directory, "main", test, 76.2),
                   stage(directory, "epilogue", "nccl_test_all_gather", 8.1)});
  return run;
}

Json unsuccessful_run(const std::string& test_case, const std::string& test, const std::string& status,
                      const Reason& reason) {
  Json run = base_run(test_case, test, status);
  run["reason"] = reason;
  if (status == "skipped") return run;
  run["job"] = "4712";
  run["seconds"] = 31.0;
  run["outcome"] = test_case + "/0/outcome.json";
  Json main = stage(test_case + "/0", "main", test, 31.0);
  main["status"] = status;
  main["reason"] = reason;
  main["exit_status"] = 1;
  run["stages"] = Json::array({main});
  return run;
}

Json summary(const std::string& scenario) {
  Json json = {{"schema", "cloudai.summary/1"}};
  json["cloudai"] = {{"version", "0.1.0"}, {"user", "ada"}, {"host", "login01"}};
  json["cloudai"]["arguments"] = {"cloudai", "run", "--system-config", "conf/common/system/example_slurm_cluster.toml"};
  json["scenario"] = {
      {"name", scenario}, {"file", "/home/ada/conf/common/test_scenario/nccl_test.toml"}, {"job_status_check", true}};
  json["system"] = {
      {"name", "example-cluster"}, {"scheduler", "slurm"}, {"file", "/home/ada/conf/common/system/example.toml"}};
  const std::string digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  json["files"] = Json::array({{{"path", "/home/ada/conf/common/test_scenario/nccl_test.toml"}, {"sha256", digest}}});
  json["modules"] = Json::array({{{"id", "cloudai.nccl_test"},
                                  {"version", "0.1.0"},
                                  {"path", "/opt/cloudai/lib/nccl_test.so"},
                                  {"sha256", digest}}});
  json["started"] = "2026-03-01T12:00:00.000Z";
  json["ended"] = "2026-03-01T12:03:21.000Z";
  json["seconds"] = 201.0;
  json["status"] = "passed";
  json["exit_status"] = 0;
  json["counts"] = Json::object();
  json["runs"] = Json::array();
  return json;
}

void count_runs(Json& summary) {
  std::map<std::string, int> counts;
  for (const Json& run : summary["runs"]) ++counts[run["status"].get<std::string>()];
  summary["counts"] = counts;
  summary["status"] = counts.count("error") > 0 ? "error" : counts.count("failed") > 0 ? "failed" : "passed";
}

Json run_outcome(const Json& run, const Outcome& outcome) {
  Json json = {{"schema", "cloudai.run_outcome/1"}, {"id", run["id"]}, {"stages", Json::array()}};
  for (const Json& each : run["stages"]) {
    Json entry = {{"kind", each["kind"]}, {"name", each["name"]}, {"directory", each["directory"]}};
    entry["outcome"] = outcome;
    json["stages"].push_back(entry);
  }
  return json;
}

namespace {

void write_run(const fs::path& directory, const Json& run) {
  if (!run.contains("outcome")) return;
  const double peak = run.contains("headline") ? run["headline"][0]["value"].get<double>() : 40;
  Outcome outcome = collective_outcome("all_reduce", 31, peak);
  if (run.contains("reason")) {
    outcome.verdict = Verdict::failed;
    outcome.reason = from_json<Reason>(run["reason"]);
  }
  write_file(directory / run["outcome"].get<std::string>(), run_outcome(run, outcome).dump(1));
  for (const Json& each : run["stages"]) {
    write_file(directory / each["stdout"].get<std::string>(), "# nThread 1 nGpus 1\n");
    write_file(directory / each["stderr"].get<std::string>(), "");
  }
}

}  // namespace

void write_results(const fs::path& directory, const Json& summary) {
  write_file(directory / "summary.json", summary.dump(1));
  for (const Json& run : summary["runs"]) write_run(directory, run);
}

void write_passed(const fs::path& directory) {
  Json json = summary("nccl-test");
  json["runs"].push_back(passed_run("Tests.1", "nccl_test_all_reduce", 187.4));
  json["runs"].push_back(passed_run("Tests.2", "nccl_test_all_gather", 174.9));
  json["runs"][1]["dependencies"] = Json::array({{{"type", "start_post_comp"}, {"case", "Tests.1"}}});
  count_runs(json);
  write_results(directory, json);
}

void write_mixed(const fs::path& directory) {
  Json json = summary("nightly acceptance");
  json["runs"].push_back(passed_run("all-reduce", "nccl_test_all_reduce", 187.4));
  json["runs"].push_back(passed_run("all-gather", "nccl_test_all_gather", 174.9));
  json["runs"].push_back(unsuccessful_run(
      "reduce-scatter", "nccl_test_reduce_scatter", "failed",
      {"out_of_bounds",
       "3 of 31 sizes have wrong values: the first is 4 MiB with 12 wrong elements.",
       "Look for a link with errors between node017 and node018, then run the test on each node alone.",
       {{"stdout.txt", 31}}}));
  json["runs"].push_back(unsuccessful_run("broadcast", "nccl_test_broadcast", "error",
                                          {"node_fail", "Node node018 left the job after 31 s (NODE_FAIL).", "", {}}));
  json["runs"].push_back(unsuccessful_run("alltoall", "nccl_test_alltoall", "cancelled",
                                          {"cancelled", "It was stopped after a signal.", "", {}}));
  json["runs"].push_back(unsuccessful_run("sendrecv", "nccl_test_sendrecv", "inconclusive",
                                          {"no_measurement", "5 repetitions differ by more than 20 %.", "", {}}));
  json["runs"].push_back(
      unsuccessful_run("gather", "nccl_test_gather", "skipped",
                       {"dependency_failed", "It depends on broadcast, which did not pass.", "", {}}));
  json["runs"].push_back(passed_run("scatter", "nccl_test_scatter", 171.2));
  count_runs(json);
  write_results(directory, json);
}

std::string hostile_text() {
  return "<script>alert(1)</script> & \"x\" 'y' ]]> {{id}} {{{style}}}\n\x01\xE2\x80\xAE"
         "end";
}

void write_hostile(const fs::path& directory) {
  const std::string hostile = hostile_text();
  Json json = summary("nemo2.0_llama3 70b fp8: <final> & \"x\"");
  Json run = passed_run("Tests.1", hostile, 12);
  run["id"] = hostile;
  run["description"] = hostile;
  run["job"] = "=cmd|' /C calc'!A0";
  run["nodes"]["actual"][0]["name"] = hostile;
  run["headline"][0]["name"] = hostile;
  run["stages"][0]["name"] = hostile;
  run["stages"][0]["stdout"] = "javascript:alert(1)//stdout.txt";
  run["stages"][2]["stderr"] = "../../../../../../etc/passwd";
  json["runs"].push_back(run);
  Json failed = unsuccessful_run("Tests.2", "t", "failed", {"out_of_bounds", hostile, hostile, {{hostile, 3}}});
  failed["workload"] = hostile;
  json["runs"].push_back(failed);
  json["modules"][0]["path"] = hostile;
  json["system"]["name"] = hostile;
  count_runs(json);
  write_results(directory, json);

  Outcome outcome = collective_outcome(hostile, 5, 12);
  outcome.facts = {{hostile, hostile}};
  outcome.plots[0].title = hostile;
  outcome.tables[0].name = "../" + hostile;
  outcome.tables[0].columns[5].name = hostile;
  outcome.plots[0].table = outcome.tables[0].name;
  outcome.plots[0].y = {hostile};
  write_file(directory / "Tests.1/0/outcome.json", run_outcome(run, outcome).dump());
}

void write_empty(const fs::path& directory) {
  write_results(directory, summary("empty"));
}

void write_many(const fs::path& directory, std::size_t runs, std::size_t metrics) {
  Outcome outcome = collective_outcome("all_reduce", 24, 90);
  outcome.metrics.assign(metrics, Metric(outcome.metrics.back()));
  Json run = passed_run("case", "nccl_test_all_reduce", 90);
  write_file(directory / "outcome.json", run_outcome(run, outcome).dump());
  outcome.tables.clear();
  outcome.plots.clear();
  write_file(directory / "without_tables.json", run_outcome(run, outcome).dump());

  // Piece by piece: the test that measures memory must not hold it all either.
  std::ofstream out(directory / "summary.json");
  const std::string frame = summary("many").dump();
  const std::string no_runs = "\"runs\":[]";
  const std::size_t place = frame.find(no_runs);
  out << frame.substr(0, place) << "\"runs\":[";
  for (std::size_t i = 0; i < runs; ++i) {
    run["id"] = "case." + std::to_string(i) + "/0";
    run["outcome"] = i < 60 ? "outcome.json" : "without_tables.json";
    run["status"] = i % 97 == 5 ? "failed" : "passed";
    out << (i == 0 ? "" : ",\n") << run.dump();
  }
  out << "]" << frame.substr(place + no_runs.size());
}

}  // namespace cloudai::samples
