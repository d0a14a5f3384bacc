// Many runs through a simulated Run:ai tenant that is in trouble all the time, by chance: none may be lost, made twice
// or stuck. CLOUDAI_SOAK_RUNS and CLOUDAI_SOAK_SEED say how many, and which chance.

#include <cstdlib>
#include <iostream>
#include <random>

#include "tests/end_to_end/runai_test.hpp"

namespace end_to_end {
namespace {

constexpr std::uint64_t runs_at_once = 10;

std::uint64_t number_in_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoull(text);
}

runai_simulator::Options with_seed(std::uint64_t seed) {
  runai_simulator::Options options;
  options.seed = seed;
  return options;
}

// What is to happen to one run, and what it prints.
struct Fate {
  std::string case_id;
  bool fails = false;
  int nodes = 1;
  std::string log;
};

class RunaiFaultSoak : public RunaiTest {
 protected:
  RunaiFaultSoak() : RunaiTest(with_seed(seed)) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  double between(double least, double most) { return least + (most - least) * static_cast<double>(below(1001)) / 1000; }

  Fate draw_fate(std::uint64_t number) {
    Fate fate;
    fate.case_id = "n" + std::to_string(number);
    fate.fails = below(5) == 0;
    fate.nodes = below(4) == 0 ? 2 : 1;
    const std::string log = numbered_lines(static_cast<int>(20 + below(200)));
    fate.log = "# of " + fate.case_id + "\n" + log + runai_simulator::nccl_log(8 * fate.nodes);
    const auto ms = [&](std::uint64_t least, std::uint64_t most) { return least + below(most - least); };
    Json phases =
        Json::array({{{"phase", "Creating"}, {"ms", ms(1, 100)}}, {{"phase", "Running"}, {"ms", ms(100, 1500)}}});
    const auto add = [&](const char* phase, std::uint64_t time) { phases.push_back({{"phase", phase}, {"ms", time}}); };
    if (below(4) == 0) add("Degraded", ms(100, 800));
    if (below(6) == 0) add("Levitating", ms(100, 800));
    if (below(6) == 0) add("Suspending", ms(100, 800));
    phases.push_back({{"phase", fate.fails ? "Failed" : "Completed"}});
    script(phases.dump(), {{"log", fate.log}, {"keepPods", true}, {"exitCode", fate.fails ? 3 : 0}},
           "scenario-" + fate.case_id + "-*");
    return fate;
  }

  void add_fault(Json match, const Json& effect) { tenant.fault(match, effect); }

  Json draw(const std::vector<Json>& effects) { return effects[below(effects.size())]; }

  // What is asked for again does no harm; a creation is only hurt where it had its effect, or none for certain. What
  // may be either is waited for half a minute, and has a test of its own.
  void draw_faults() {
    const std::vector<Json> of_reads = {{{"kind", "status"}, {"status", 503}},
                                        {{"kind", "status"}, {"status", 502}, {"html", true}},
                                        {{"kind", "status"}, {"status", 429}, {"retryAfter", 0}},
                                        {{"kind", "status"}, {"status", 500}, {"retryAfter", "soon"}},
                                        {{"kind", "reset-before"}},
                                        {{"kind", "reset-after"}},
                                        {{"kind", "truncate"}},
                                        {{"kind", "malformed"}},
                                        {{"kind", "empty"}},
                                        {{"kind", "null"}},
                                        {{"kind", "numbers-as-strings"}},
                                        {{"kind", "extra-fields"}},
                                        {{"kind", "http10"}},
                                        {{"kind", "chunked"}},
                                        {{"kind", "close"}},
                                        {{"kind", "token-expired"}},
                                        {{"kind", "delay"}, {"ms", 300}},
                                        {{"kind", "slow"}, {"bytes", 100}, {"ms", 2}}};
    for (int i = 0; i < 5; ++i) {
      add_fault({{"method", "GET"}, {"path", "/api/v1/workloads*"}, {"probability", between(0.01, 0.15)}},
                draw(of_reads));
    }
    const std::vector<Json> of_creations = {{{"kind", "reset-after"}},
                                            {{"kind", "truncate"}},
                                            {{"kind", "malformed"}},
                                            {{"kind", "empty"}},
                                            {{"kind", "token-expired"}},
                                            {{"kind", "delay"}, {"ms", 300}},
                                            {{"kind", "status"}, {"status", 429}, {"retryAfter", 0}}};
    for (int i = 0; i < 3; ++i) {
      add_fault({{"method", "POST"}, {"path", "/api/v1/workloads/*"}, {"nth", 1 + below(runs_at_once)}},
                draw(of_creations));
    }
    const std::vector<Json> of_logs = {{{"kind", "ws-drop"}, {"afterBytes", below(3000)}},
                                       {{"kind", "ws-close"}, {"code", 1011}, {"afterBytes", below(3000)}},
                                       {{"kind", "ws-oversized"}, {"afterBytes", below(3000)}},
                                       {{"kind", "ws-fragment"}},
                                       {{"kind", "status"}, {"status", 500}}};
    for (int i = 0; i < 2; ++i) {
      add_fault({{"path", "*/logs"}, {"probability", between(0.1, 0.3)}}, draw(of_logs));
    }
    add_fault({{"method", "DELETE"}, {"probability", 0.3}}, {{"kind", "status"}, {"status", 500}});
    add_fault({{"method", "GET"}, {"path", "/api/v1/workloads"}, {"nth", 3 + below(20)}}, {{"kind", "token-revoked"}});
    tenant.settings({{"readLagMs", below(600)},
                     {"logBinary", below(2) == 0},
                     {"logChunk", 10 + below(300)},
                     {"logPingEvery", below(5)},
                     {"nullEvents", below(2) == 0}});
  }

  void check_run(const Fate& fate, std::set<std::string>& ids) {
    SCOPED_TRACE(fate.case_id);
    const Json run = workspace_run(fate.case_id);
    EXPECT_EQ(run.at("status"), fate.fails ? "failed" : "passed") << run.value("reason", Json());
    EXPECT_TRUE(ids.insert(run.at("job").get<std::string>()).second) << "two runs have the same workload";
    EXPECT_EQ(read(results_ / fate.case_id / "0/stdout.txt"), fate.log);
  }

  Json workspace_run(const std::string& case_id) const {
    const Json summary = Json::parse(read(results_ / "summary.json"));
    for (const Json& run : summary.at("runs")) {
      if (run.at("case") == case_id) return run;
    }
    return Json::object();
  }

  // So many runs beside each other; how many requests they took.
  std::size_t run_some(std::uint64_t count) {
    tenant.reset();
    std::vector<Fate> fates;
    std::string cases;
    for (std::uint64_t i = 1; i <= count; ++i) {
      fates.push_back(draw_fate(i));
      cases += test_case(fates.back().case_id, "work", "num_nodes = " + std::to_string(fates.back().nodes) + "\n");
    }
    workspace.scenario("job_status_check = false\n" + cases);
    draw_faults();
    const auto output = workspace.root() / ("results-" + std::to_string(++batch_));
    const auto ended = run({"--output-dir", output.string()});
    EXPECT_TRUE(ended.exit_status == 0 || ended.exit_status == 1) << ended.err;
    results_ = std::filesystem::directory_iterator(output)->path();
    std::set<std::string> ids;
    for (const Fate& fate : fates) check_run(fate, ids);
    for (const auto& workload : tenant.workloads()) EXPECT_EQ(ids.count(workload.id), 1U) << workload.name;
    tenant.clear_faults();
    const auto invariants = runai_simulator::check(tenant, bounds);
    EXPECT_THAT(invariants.violations, testing::IsEmpty());
    EXPECT_THAT(runai_simulator::files_with_secrets(tenant, output), testing::IsEmpty());
    if (HasFailure()) std::cout << ended.err;
    return invariants.requests;
  }

  static inline const std::uint64_t seed = number_in_environment("CLOUDAI_SOAK_SEED", 7);
  std::mt19937_64 random_{seed};
  std::filesystem::path results_;
  int batch_ = 0;
};

TEST_F(RunaiFaultSoak, LosesDoublesAndHangsNothing) {
  const auto count = number_in_environment("CLOUDAI_SOAK_RUNS", 20);
  bounds.requests = 2000;
  bounds.token_requests = 60;
  system();
  nccl_test("work");
  const auto begin = std::chrono::steady_clock::now();
  std::size_t requests = 0;
  std::uint64_t done = 0;
  while (done < count && !HasFailure()) {
    const auto some = std::min(runs_at_once, count - done);
    requests += run_some(some);
    done += some;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::cout << "seed " << seed << ": " << done << " runs, " << requests << " requests ("
            << static_cast<double>(requests) / static_cast<double>(done) << " a run), " << took.count() << " s\n";
}

}  // namespace
}  // namespace end_to_end
