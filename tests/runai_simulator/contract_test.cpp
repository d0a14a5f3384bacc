// The simulator behind Prism, which holds every request and every answer against the published contract of the API. The
// contract is not part of this project: CLOUDAI_RUNAI_CONTRACT names its file, if it is not beside the tree.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>

#include "tests/core/scratch_directory.hpp"
#include "tests/end_to_end/program.hpp"
#include "tests/paths.hpp"
#include "tests/runai_simulator/tenant_test.hpp"

namespace runai_simulator {
namespace {

namespace fs = std::filesystem;
using cloudai::testing::ScratchDirectory;

std::string contract_file() {
  const auto* given = std::getenv("CLOUDAI_RUNAI_CONTRACT");
  return given != nullptr ? given : tree::source_directory() + "/../shared/contracts/runai-2.24.subset.json";
}

fs::path prism() {
  return fs::path(tree::build_directory()) / "npm/contract-check/node_modules/@stoplight/prism-cli/dist/index.js";
}

// Why this machine cannot check; empty if it can.
std::string why_not() {
  if (!fs::exists(contract_file())) return "There is no contract: CLOUDAI_RUNAI_CONTRACT names its file.";
  return fs::exists(prism()) ? "" : "There is no Prism: npm did not install it when the build was configured.";
}

int free_port() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  (void)::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), size);
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(descriptor);
  return ntohs(address.sin_port);
}

// The contract asks for a token everywhere, also where one is asked for.
void write_contract(const fs::path& path) {
  auto contract = Json::parse(std::ifstream(contract_file()));
  for (const auto* token : {"/api/v1/token", "/api/v2/token"})
    contract["paths"][token]["post"]["security"] = Json::array();
  std::ofstream(path) << contract.dump();
}

class Contract : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!why_not().empty()) GTEST_SKIP() << why_not();
    simulator = std::make_unique<SimulatorProcess>(standing_clock());
    write_contract(scratch / "contract.json");
    const auto port = std::to_string(free_port());
    url = "http://127.0.0.1:" + port;
    end_to_end::Launch launch;
    launch.command = {"node",
                      prism(),
                      "proxy",
                      "--errors",
                      "--host",
                      "127.0.0.1",
                      "--port",
                      port,
                      scratch / "contract.json",
                      simulator->http_url()};
    launch.directory = scratch.path();
    program = std::make_unique<end_to_end::Program>(launch, scratch.path());
    ASSERT_TRUE(end_to_end::eventually([&] { return listens(); }, 240s)) << program->err();
    ApiClient client(*simulator);
    token = client.token;
  }
  bool listens() const {
    try {
      return http_call(url, "GET", "/").status != 0;
    } catch (const std::exception&) {
      return false;
    }
  }
  // Through Prism, which answers itself where a request or an answer breaks the contract.
  HttpResult call(const std::string& method, const std::string& target, int status, const std::string& body = "",
                  const std::string& type = "application/json") const {
    const std::map<std::string, std::string> headers = {{"Authorization", "Bearer " + token}, {"Content-Type", type}};
    auto result = http_call(url, method, target, body, headers);
    // Prism keeps its connections to the tenant, which may close one just when it is used again: then nothing was done.
    for (int left = 3; left > 0 && result.body.find("socket hang up") != std::string::npos; --left) {
      result = http_call(url, method, target, body, headers);
    }
    EXPECT_EQ(result.status, status) << method << " " << target << "\n" << result.body;
    EXPECT_EQ(result.headers.count("sl-violations"), 0U) << method << " " << target << "\n" << result.raw;
    return result;
  }
  std::string create(const std::string& type, const Json& body) const {
    const auto result = call("POST", "/api/v1/workloads/" + type, 202, body.dump());
    return Json::parse(result.body).value("workloadId", "");
  }
  // All there is to ask of a workload.
  void ask_about(const std::string& type, const std::string& id) const {
    const auto typed = "/api/v1/workloads/" + type + "/" + id;
    call("GET", typed, 200);
    for (const auto* part : {"", "/events?limit=100&sortOrder=asc", "/history", "/pods"}) {
      call("GET", "/api/v1/workloads/" + id + part, 200);
    }
    call("GET", "/api/v1/workloads?limit=500&filterBy=name%3D%5Ea%2CprojectId%3D%3D4201&sortBy=name", 200);
    call("GET", "/api/v1/workloads/pods", 200);
  }

  ScratchDirectory scratch;
  std::unique_ptr<SimulatorProcess> simulator;
  std::unique_ptr<end_to_end::Program> program;
  std::string url;
  std::string token;
};

TEST_F(Contract, NoCallBreaksIt) {
  const std::string credentials = R"("client_credentials","clientID":"benchmark","clientSecret":)";
  call("POST", "/api/v1/token", 200, R"({"grantType":)" + credentials + R"("secret-of-the-benchmark"})");
  call("POST", "/api/v1/token", 400, R"({"grantType":)" + credentials + R"("wrong"})");
  const std::string form = "application/x-www-form-urlencoded";
  const std::string fields = "grant_type=client_credentials&client_id=benchmark&client_secret=";
  call("POST", "/api/v2/token", 200, fields + tenant::client_secret, form);
  call("POST", "/api/v2/token", 401, fields + "wrong", form);
  call("GET", "/api/v1/clusters", 200);
  call("GET", "/api/v1/clusters/" + std::string(tenant::cluster_id), 200);
  call("GET", "/api/v1/org-unit/projects", 200);
  call("GET", "/api/v1/org-unit/projects/4201", 200);
  call("GET", "/api/v1/org-unit/projects/none", 404);
  call("GET", "/api/v1/node-pools", 200);
  call("GET", "/api/v1/nodes", 200);
  call("GET", "/api/v1/workloads/00000000-0000-4000-8000-000000000000", 404);
}

TEST_F(Contract, NoWorkloadBreaksItInAnyPhase) {
  // Waits for GPUs at first.
  const auto waiting = create("trainings", training("a-1", 16));
  simulator->advance(100ms);
  ask_about("trainings", waiting);
  call("POST", "/api/v1/workloads/trainings/" + waiting + "/suspend", 202);
  call("POST", "/api/v1/workloads/trainings/" + waiting + "/resume", 202);
  simulator->settings({{"nullEvents", true}});
  const auto job = create("distributed", distributed("a-2", 2, 8));
  ask_about("distributed", job);
  simulator->advance(100ms);
  ask_about("distributed", job);
  simulator->advance(1s);
  ask_about("distributed", job);
  simulator->set_phase(job, "Failed", "The container ended");
  ask_about("distributed", job);
  call("POST", "/api/v1/workloads/distributed/" + job + "/suspend", 202);
  call("POST", "/api/v1/workloads/distributed/" + job + "/resume", 202);
  call("POST", "/api/v1/workloads/batch", 200, Json{{"action", "suspend"}, {"ids", {job, tenant::cluster_id}}}.dump());
  call("DELETE", "/api/v1/workloads/distributed/" + job, 202);
  call("DELETE", "/api/v1/workloads/trainings/" + waiting, 202);
  simulator->advance(100ms);
  call("GET", "/api/v1/workloads/distributed/" + job, 404);
  call("GET", "/api/v1/workloads?deleted=true", 200);
}

TEST_F(Contract, NoRefusalBreaksIt) {
  create("trainings", training("a"));
  simulator->seed({{"policy", {{{"field", "compute.gpuDevicesRequest"}, {"rule", "max"}, {"value", 4}}}}});
  call("POST", "/api/v1/workloads/trainings", 400, training("b", 8).dump());
  simulator->revoke_tokens();
  call("GET", "/api/v1/clusters", 401);
  for (const int status : {403, 503}) {
    simulator->clear_faults();
    simulator->fault(Json::object(), {{"kind", "status"}, {"status", status}});
    call("GET", "/api/v1/workloads", status);
  }
}

// That the check above can fail.
TEST_F(Contract, ABrokenAnswerIsSeen) {
  simulator->fault(Json::object(), {{"kind", "null"}});
  const auto result = http_call(url, "GET", "/api/v1/clusters", "", {{"Authorization", "Bearer " + token}});
  EXPECT_EQ(result.status, 500) << result.raw;
}

}  // namespace
}  // namespace runai_simulator
