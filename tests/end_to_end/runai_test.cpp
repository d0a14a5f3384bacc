#include "tests/end_to_end/runai_test.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace end_to_end {

namespace fs = std::filesystem;
using testing::Each;
using testing::EndsWith;
using testing::IsEmpty;

ProcessList::ProcessList() {
  thread_ = std::thread([this] {
    while (!stopping_) {
      std::error_code error;
      for (const auto& entry : fs::directory_iterator("/proc", error)) {
        if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
        // The process may end meanwhile, for which a reader by iterators throws.
        std::ostringstream line;
        line << std::ifstream(entry.path() / "cmdline").rdbuf();
        seen_.insert(line.str());
      }
      sleep_for(50ms);
    }
  });
}

void ProcessList::stop() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

bool ProcessList::contains(const std::string& text) const {
  return std::any_of(seen_.begin(), seen_.end(),
                     [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

RunaiTest::RunaiTest(const runai_simulator::Options& options) : tenant(options) {
  bounds.requests = 150;
}

void RunaiTest::TearDown() {
  tenant.clear_faults();
  EXPECT_THAT(runai_simulator::check(tenant, bounds).violations, IsEmpty());
  // The user wrote it there.
  EXPECT_THAT(runai_simulator::files_with_secrets(tenant, workspace.root()), Each(EndsWith("/system.toml")));
  processes_.stop();
  const std::vector<std::string> secrets = tenant.control("GET", "secrets");
  for (const std::string& secret : secrets) EXPECT_FALSE(processes_.contains(secret)) << secret;
}

void RunaiTest::system(const Json& changes) const {
  namespace defaults = runai_simulator::tenant;
  Json keys = {{"name", "tenant"},
               {"scheduler", "runai"},
               {"install_path", (workspace.root() / "install").string()},
               {"output_path", workspace.output().string()},
               {"base_url", tenant.https_url()},
               {"ca_file", tenant.ca_file().string()},
               {"app_id", defaults::client_id},
               {"app_secret", defaults::client_secret},
               {"project_id", defaults::project_id},
               {"cluster_id", defaults::cluster_id},
               {"monitor_interval", 0.2}};
  keys.update(changes);
  std::string text;
  for (const auto& [key, value] : keys.items()) {
    if (!value.is_null()) text += key + " = " + value.dump() + "\n";
  }
  workspace.write("system.toml", text);
}

void RunaiTest::nccl_test(const std::string& name) const {
  const std::string text = "name = \"" + name + R"("
description = "All-reduce"
test_template_name = "NcclTest"
[cmd_args]
docker_image_url = "nvcr.io#nvidia/pytorch:26.01-py3"
subtest_name = "all_reduce_perf_mpi"
ngpus = 1
minbytes = "32M"
maxbytes = "64M"
stepfactor = 2
iters = 20
warmup_iters = 5
)";
  workspace.write("tests/" + name + ".toml", text);
  workspace.write("hook/test/" + name + ".toml", text);
}

void RunaiTest::one_case(const std::string& more) const {
  nccl_test("work");
  workspace.scenario(test_case("Tests.1", "work", more));
}

void RunaiTest::script(const std::string& phases, Json more, const std::string& name) const {
  more["name"] = name;
  more["phases"] = Json::parse(phases);
  tenant.script(more);
}

void RunaiTest::fault(const char* match, const char* effect) const {
  tenant.fault(Json::parse(match), Json::parse(effect));
}

Ended RunaiTest::run(const Arguments& more) const {
  auto ended = start(workspace.command("run", more))->wait(100s);
  EXPECT_FALSE(ended.timed_out) << ended.err;
  return ended;
}

std::string RunaiTest::output(const std::string& directory) const {
  return read(workspace.results() / directory / "stdout.txt");
}

bool RunaiTest::reached(const std::string& phase, std::size_t count) const {
  return eventually([&] {
    const auto workloads = tenant.workloads();
    const auto there = std::count_if(workloads.begin(), workloads.end(), [&](const auto& workload) {
      return std::find(workload.history.begin(), workload.history.end(), phase) != workload.history.end();
    });
    return static_cast<std::size_t>(there) >= count;
  });
}

std::size_t RunaiTest::count(const std::string& method, const std::string& path) const {
  const auto requests = tenant.requests();
  return static_cast<std::size_t>(std::count_if(requests.begin(), requests.end(), [&](const auto& request) {
    return request.method == method && request.path.rfind(path, 0) == 0;
  }));
}

std::size_t RunaiTest::counted_requests() const {
  const Json summary = workspace.summary();
  std::size_t sum = 0;
  for (const Json& number : summary.at("scheduler_commands")) sum += number.get<std::size_t>();
  return sum;
}

std::string reason_code(const Json& run_or_stage) {
  return run_or_stage.at("reason").at("code");
}

std::string reason_text(const Json& run_or_stage) {
  return run_or_stage.at("reason").at("text");
}

std::string numbered_lines(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += "# line " + std::to_string(i) + " größer\n";
  return text;
}

}  // namespace end_to_end
