#include "tenant_fixture.hpp"

#include <algorithm>
#include <fstream>
#include <thread>
#include <utility>

#include "tests/paths.hpp"

namespace runai::testing {
namespace {

using cloudai::testing::LoadedModule;
using cloudai::testing::Reply;
using runai_simulator::SimulatorProcess;
using std::chrono::steady_clock;

constexpr std::chrono::seconds patience{60};

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

cloudai::testing::FakeHost& TenantTest::host() {
  static cloudai::testing::FakeHost host;
  return host;
}

const LoadedModule& TenantTest::module() {
  static const LoadedModule module(tree::build_directory() + "/lib/cloudai/modules/runai.so", host());
  return module;
}

SimulatorProcess& TenantTest::tenant() {
  static SimulatorProcess tenant;
  return tenant;
}

TenantTest::TenantTest() {
  tenant().reset();
  host().log.clear();
  host().cancelled = false;
}

TenantTest::~TenantTest() {
  if (instance_ != nullptr) module().scheduler()->close(instance_);
}

void TenantTest::TearDown() {
  tenant().clear_faults();
  EXPECT_THAT(runai_simulator::check(tenant(), bounds_).violations, ::testing::IsEmpty());
  EXPECT_THAT(runai_simulator::files_with_secrets(tenant(), directory_.path()), ::testing::IsEmpty());
  const std::vector<std::string> secrets = tenant().control("GET", "secrets");
  for (const std::string& secret : secrets) EXPECT_THAT(log(), ::testing::Not(::testing::HasSubstr(secret)));
}

Reply TenantTest::open(const Json& options) {
  cloudai::OpenRequest request;
  request.provider = "runai";
  request.system.name = "tenant";
  request.system.options.json = {{"base_url", tenant().http_url()},
                                 {"app_id", runai_simulator::tenant::client_id},
                                 {"app_secret", runai_simulator::tenant::client_secret},
                                 {"project_id", runai_simulator::tenant::project_id},
                                 {"cluster_id", runai_simulator::tenant::cluster_id},
                                 {"ca_file", tenant().ca_file().string()},
                                 {"gpus_per_node", 8}};
  request.system.options.json.update(options);
  if (instance_ != nullptr) module().scheduler()->close(std::exchange(instance_, nullptr));
  return module().open(request, &instance_);
}

Reply TenantTest::call(cloudai_call cloudai_scheduler_v1::*function, const Json& request) {
  if (instance_ == nullptr) {
    const Reply opened = open();
    EXPECT_EQ(opened.status, CLOUDAI_OK) << opened.text;
    if (opened.status != CLOUDAI_OK) return opened;
  }
  return LoadedModule::call(module().scheduler()->*function, instance_, request);
}

cloudai::Job TenantTest::job(const std::string& name, int nodes) {
  static int number = 0;
  cloudai::Step step;
  step.command.argv = {"all_reduce_perf_mpi", "--minbytes", "32M"};
  step.image = "nvcr.io/nvidia/pytorch:26.01-py3";
  step.placement = {cloudai::PlacedOn::all, 8, cloudai::Launcher::mpi};
  cloudai::JobStage stage;
  stage.name = "nccl_test";
  stage.directory = ".";
  stage.plan.steps.push_back(step);
  cloudai::Job job;
  job.tag = "tag" + std::to_string(++number);
  job.name = name;
  job.nodes.count = nodes;
  job.runs.push_back({"Tests.1/0", {}, {stage}});
  return job;
}

Reply TenantTest::try_to_submit(const cloudai::Job& given) {
  cloudai::Job job = given;
  job.directory = directory_of(job).string();
  const Reply rendering = call(&cloudai_scheduler_v1::render, job);
  if (rendering.status != CLOUDAI_OK) return rendering;
  const auto rendered = cloudai::from_json<cloudai::Rendering>(rendering.json());
  for (const auto& entry : rendered.files) write(directory_of(job) / entry.path, entry.content);
  return call(&cloudai_scheduler_v1::submit, cloudai::SubmitRequest{job.tag, job.directory, rendered.submission});
}

std::string TenantTest::submit(const cloudai::Job& job) {
  const Reply reply = try_to_submit(job);
  EXPECT_EQ(reply.status, CLOUDAI_OK) << reply.text;
  return reply.status == CLOUDAI_OK ? reply.json().value("id", "") : std::string();
}

std::string TenantTest::submit_error(const cloudai::Job& job) {
  const Reply reply = try_to_submit(job);
  return reply.status == CLOUDAI_OK ? "it was taken" : reply.message();
}

std::vector<cloudai::JobPhase> TenantTest::poll(const std::vector<std::string>& ids) {
  const Reply reply = call(&cloudai_scheduler_v1::poll, Json{{"ids", ids}});
  EXPECT_EQ(reply.status, CLOUDAI_OK) << reply.text;
  std::vector<cloudai::JobPhase> phases;
  if (reply.status != CLOUDAI_OK) return phases;
  const Json states = reply.json();
  for (const auto& state : cloudai::Value(states).get<std::vector<cloudai::JobState>>("jobs")) {
    phases.push_back(state.state);
  }
  return phases;
}

void TenantTest::wait_for_end(const std::vector<std::string>& ids) {
  const auto deadline = steady_clock::now() + patience;
  while (true) {
    const auto phases = poll(ids);
    const auto has_ended = [](cloudai::JobPhase phase) { return phase == cloudai::JobPhase::ended; };
    if (!phases.empty() && std::all_of(phases.begin(), phases.end(), has_ended)) return;
    ASSERT_LT(steady_clock::now(), deadline) << "the workloads do not end";
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

void TenantTest::wait_for(const std::string& id, cloudai::JobPhase phase) {
  const auto deadline = steady_clock::now() + patience;
  while (poll({id}).at(0) != phase) {
    ASSERT_LT(steady_clock::now(), deadline) << "the workload does not get there";
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
}

cloudai::JobResult TenantTest::collect(const std::string& id) {
  const Reply reply = call(&cloudai_scheduler_v1::collect, Json{{"id", id}});
  EXPECT_EQ(reply.status, CLOUDAI_OK) << reply.text;
  return reply.status == CLOUDAI_OK ? cloudai::from_json<cloudai::JobResult>(reply.json()) : cloudai::JobResult{};
}

std::vector<cloudai::NotCancelled> TenantTest::cancel(const std::vector<std::string>& ids) {
  const Reply reply = call(&cloudai_scheduler_v1::cancel, Json{{"ids", ids}});
  EXPECT_EQ(reply.status, CLOUDAI_OK) << reply.text;
  const Json document = reply.json();
  return cloudai::Value(document).get<std::vector<cloudai::NotCancelled>>("not_cancelled");
}

std::string TenantTest::find(const cloudai::Job& job) {
  const Reply reply =
      call(&cloudai_scheduler_v1::find, Json{{"tag", job.tag}, {"directory", directory_of(job).string()}});
  EXPECT_EQ(reply.status, CLOUDAI_OK) << reply.text;
  return reply.json().value("id", "");
}

cloudai::JobResult TenantTest::run(const cloudai::Job& job) {
  const std::string id = submit(job);
  if (id.empty()) return {};
  wait_for_end({id});
  return collect(id);
}

std::string TenantTest::file(const cloudai::Job& job, const std::string& name) const {
  std::ifstream stream(directory_of(job) / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string TenantTest::log() const {
  std::string text;
  for (const auto& line : host().log) text += line.text + "\n";
  return text;
}

std::size_t TenantTest::count(const std::string& method, const std::string& path) const {
  std::size_t number = 0;
  for (const auto& request : tenant().requests()) {
    number += request.method == method && request.path.rfind(path, 0) == 0 ? 1 : 0;
  }
  return number;
}

}  // namespace runai::testing
