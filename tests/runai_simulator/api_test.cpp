// What a client of the simulator sees, over HTTP.
#include <gmock/gmock.h>

#include "tests/runai_simulator/tenant_test.hpp"

namespace runai_simulator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

HttpResult post(const SimulatorProcess& simulator, const std::string& target, const std::string& body,
                const std::string& type = "application/json") {
  return http_call(simulator.http_url(), "POST", target, body, {{"Content-Type", type}});
}

const std::string form = "application/x-www-form-urlencoded";
const std::string good_form = std::string("grant_type=client_credentials&client_id=") + tenant::client_id +
                              "&client_secret=" + tenant::client_secret;

TEST(SimulatorTokens, V1KeysAreReadWithoutRegardToCase) {
  const SimulatorProcess simulator(standing_clock());
  for (const auto* body :
       {R"({"grantType":"client_credentials","clientID":"benchmark","clientSecret":"secret-of-the-benchmark"})",
        R"({"grantType":"client_credentials","clientId":"benchmark","ClientSecret":"secret-of-the-benchmark"})",
        R"({"grantType":"app_token","AppId":"benchmark","appSecret":"secret-of-the-benchmark"})"}) {
    const auto result = post(simulator, "/api/v1/token", body);
    EXPECT_EQ(result.status, 200) << body;
    EXPECT_EQ(Json::parse(result.body)["expiresIn"], 3600);
  }
  const auto wrong =
      post(simulator, "/api/v1/token", R"({"grantType":"app_token","appID":"benchmark","appSecret":"no"})");
  EXPECT_EQ(wrong.status, 400);
  simulator.settings({{"wrongSecretStatus", 401}});
  EXPECT_EQ(
      post(simulator, "/api/v1/token", R"({"grantType":"app_token","appID":"benchmark","appSecret":"no"})").status,
      401);
}

TEST(SimulatorTokens, V2IsAForm) {
  const SimulatorProcess simulator(standing_clock());
  const auto result = post(simulator, "/api/v2/token", good_form, form);
  EXPECT_EQ(result.status, 200);
  EXPECT_EQ(Json::parse(result.body)["expires_in"], 3600);
  const auto wrong =
      post(simulator, "/api/v2/token", "grant_type=client_credentials&client_id=benchmark&client_secret=no", form);
  EXPECT_EQ(wrong.status, 401);
  EXPECT_EQ(Json::parse(wrong.body)["error"], "invalid_client");
}

TEST(SimulatorTokens, OldReleasesLackTheNewForms) {
  auto options = standing_clock();
  options.release = "2.18";
  const SimulatorProcess simulator(options);
  EXPECT_EQ(post(simulator, "/api/v2/token", good_form, form).status, 404);
  EXPECT_EQ(
      post(simulator, "/api/v1/token",
           R"({"grantType":"client_credentials","clientID":"benchmark","clientSecret":"secret-of-the-benchmark"})")
          .status,
      400);
  const auto old = post(simulator, "/api/v1/token",
                        R"({"grantType":"app_token","appID":"benchmark","appSecret":"secret-of-the-benchmark"})");
  EXPECT_EQ(old.status, 200);
  EXPECT_FALSE(Json::parse(old.body).contains("expiresIn"));
}

TEST(SimulatorTokens, TheyExpireAndAreRevoked) {
  const SimulatorProcess simulator(standing_clock());
  ApiClient client(simulator);
  EXPECT_EQ(client.call("GET", "/api/v1/clusters").status, 200);
  simulator.advance(3600s);
  EXPECT_EQ(client.call("GET", "/api/v1/clusters").body, R"({"code":401,"message":"Token is expired"})");
  client.log_in();
  EXPECT_EQ(client.call("GET", "/api/v1/clusters").status, 200);
  simulator.revoke_tokens();
  EXPECT_EQ(client.call("GET", "/api/v1/clusters").body, R"({"code":401,"message":"Issuer is not familiar."})");
  EXPECT_EQ(http_call(simulator.http_url(), "GET", "/api/v1/clusters").status, 401);
  EXPECT_EQ(http_call(simulator.http_url(), "GET", "/cluster-api/status").body, "OK");
}

TEST(SimulatorApi, AClientMayLackPermission) {
  const SimulatorProcess simulator(standing_clock());
  simulator.seed(
      {{"clients",
        {{{"id", tenant::client_id}, {"secret", tenant::client_secret}, {"denied", {"POST /api/v1/workloads/*"}}}}}});
  const ApiClient client(simulator);
  EXPECT_EQ(client.call("POST", "/api/v1/workloads/trainings", training("a")).status, 403);
  EXPECT_EQ(client.call("GET", "/api/v1/workloads").status, 200);
}

TEST(SimulatorApi, TheTenantIsToldOf) {
  const SimulatorProcess simulator(standing_clock());
  const ApiClient client(simulator);
  const auto clusters = client.get("/api/v1/clusters");
  ASSERT_EQ(clusters.size(), 1U);
  const auto port = simulator.https_url().substr(simulator.https_url().rfind(':'));
  EXPECT_EQ(clusters[0]["domain"], "https://localhost" + port);
  EXPECT_EQ(client.get("/api/v1/clusters/" + std::string(tenant::cluster_id))["version"], "2.24.0");
  EXPECT_EQ(client.get("/api/v1/org-unit/projects")["projects"][0]["name"], tenant::project_name);
  EXPECT_EQ(client.get("/api/v1/org-unit/projects/4201")["status"]["namespace"], "runai-bench");
  EXPECT_EQ(client.get("/api/v1/node-pools")["nodepools"][0]["name"], tenant::node_pool);
  EXPECT_EQ(client.get("/api/v1/nodes")["nodes"].size(), 4U);
  EXPECT_EQ(client.call("GET", "/api/v1/org-unit/projects/7").status, 404);
  simulator.settings({{"release", "3.0"}});
  EXPECT_EQ(client.call("GET", "/api/v1/clusters/" + std::string(tenant::cluster_id) + "/nodes").status, 404);
  simulator.settings({{"release", "2.22"}});
  EXPECT_EQ(client.call("GET", "/api/v1/nodes").status, 404);
  simulator.seed({{"cluster", {{"domain", "{authority}/"}}}});
  EXPECT_EQ(client.get("/api/v1/clusters")[0]["domain"], "localhost" + port + "/");
}

TEST(SimulatorApi, AWorkloadLivesAsItsScriptSays) {
  const SimulatorProcess simulator(standing_clock());
  const ApiClient client(simulator);
  simulator.script({{"name", "slow-*"}, {"phases", {{{"phase", "Pending"}, {"ms", 1000}}, {{"phase", "Running"}}}}});
  const auto id = client.create(training("slow-1"));
  EXPECT_EQ(client.phase(id), "Pending");
  simulator.advance(1s);
  EXPECT_EQ(client.phase(id), "Running");
  EXPECT_EQ(client.get("/api/v1/workloads/trainings/" + id)["actualPhase"], "Running");
  simulator.set_phase("slow-1", "Unknown", "no contact");
  EXPECT_EQ(client.get("/api/v1/workloads/" + id)["phaseMessage"], "no contact");
  simulator.settings({{"omitActualPhase", true}});
  EXPECT_FALSE(client.get("/api/v1/workloads/trainings/" + id).contains("actualPhase"));
  simulator.vanish(id);
  EXPECT_EQ(client.call("GET", "/api/v1/workloads/" + id).status, 404);
}

TEST(SimulatorApi, DeletionTakesItsTime) {
  const SimulatorProcess simulator(standing_clock());
  const ApiClient client(simulator);
  const auto id = client.create(training("a"));
  EXPECT_EQ(client.call("DELETE", "/api/v1/workloads/distributed/" + id).status, 404);
  EXPECT_EQ(client.call("DELETE", "/api/v1/workloads/trainings/" + id).body, R"({"code":202,"message":"Accepted"})");
  EXPECT_EQ(client.phase(id), "Deleting");
  EXPECT_EQ(client.get("/api/v1/workloads/trainings/" + id)["desiredPhase"], "Deleted");
  simulator.advance(50ms);
  EXPECT_EQ(client.call("GET", "/api/v1/workloads/trainings/" + id).status, 404);
  EXPECT_EQ(client.call("DELETE", "/api/v1/workloads/trainings/" + id).status, 404);
  EXPECT_TRUE(client.get("/api/v1/workloads")["workloads"].empty());
  EXPECT_EQ(client.get("/api/v1/workloads?deleted=true")["workloads"].size(), 1U);
}

TEST(SimulatorApi, BatchesTellWhatFailed) {
  const SimulatorProcess simulator(standing_clock());
  const ApiClient client(simulator);
  const auto id = client.create(training("a"));
  const auto other = "00000000-0000-4000-8000-000000000000";
  const auto result = client.call("POST", "/api/v1/workloads/batch", {{"action", "suspend"}, {"ids", {id, other}}});
  EXPECT_EQ(Json::parse(result.body)["succeeded"], Json::array({id}));
  EXPECT_EQ(Json::parse(result.body)["failed"][0]["code"], 404);
  EXPECT_EQ(client.phase(id), "Stopping");
  EXPECT_EQ(client.call("POST", "/api/v1/workloads/batch", {{"action", "explode"}, {"ids", {id}}}).status, 400);
}

TEST(SimulatorApi, CreationIsChecked) {
  const SimulatorProcess simulator(standing_clock());
  const ApiClient client(simulator);
  const auto refusal = [&](const std::string& pointer, const Json& value) {
    auto body = training("a");
    body[Json::json_pointer(pointer)] = value;
    return client.call("POST", "/api/v1/workloads/trainings", body);
  };
  EXPECT_THAT(refusal("/name", nullptr).body, HasSubstr("Required parameter is missing"));
  EXPECT_THAT(refusal("/name", "Upper_Case").body, HasSubstr("name 'Upper_Case' is not valid"));
  EXPECT_THAT(refusal("/spec/args", Json::array({"a"})).body, HasSubstr("spec.args must be of type string"));
  EXPECT_THAT(refusal("/spec/image", nullptr).body, HasSubstr("spec.image"));
  EXPECT_EQ(refusal("/projectId", "none").status, 404);
  EXPECT_EQ(refusal("/spec/fieldOfNoRelease", 1).status, 202);
  EXPECT_EQ(refusal("/spec/tty", true).status, 409);
  simulator.settings({{"strict", true}, {"duplicateStatus", 400}});
  EXPECT_THAT(refusal("/spec/fieldOfNoRelease", 1).body, HasSubstr("spec.fieldOfNoRelease is unknown"));
  EXPECT_EQ(refusal("/spec/tty", true).status, 400);
  const auto prefixed = Json::parse(refusal("/useGivenNameAsPrefix", true).body);
  EXPECT_EQ(prefixed["requestedName"], "a");
  EXPECT_EQ(prefixed["name"].get<std::string>().size(), 7U);
}

TEST(SimulatorApi, PoliciesRefuseWithTheirIssues) {
  const SimulatorProcess simulator(standing_clock());
  const ApiClient client(simulator);
  simulator.seed({{"policy",
                   {{{"field", "compute.gpuDevicesRequest"},
                     {"rule", "max"},
                     {"value", 4},
                     {"details", "value must be no more than 4"}}}}});
  const auto result = client.call("POST", "/api/v1/workloads/trainings", training("a", 8));
  EXPECT_EQ(result.status, 400);
  EXPECT_EQ(
      Json::parse(result.body)["complianceIssues"],
      Json::array(
          {{{"field", "compute.gpuDevicesRequest"}, {"details", "value must be no more than 4"}, {"rule", "max"}}}));
}

TEST(SimulatorApi, ANewWorkloadMayNotYetBeSeen) {
  const SimulatorProcess simulator(standing_clock());
  const ApiClient client(simulator);
  simulator.settings({{"readLagMs", 200}});
  const auto id = client.create(training("a"));
  EXPECT_EQ(client.call("GET", "/api/v1/workloads/trainings/" + id).status, 404);
  EXPECT_TRUE(client.get("/api/v1/workloads")["workloads"].empty());
  simulator.advance(200ms);
  EXPECT_EQ(client.call("GET", "/api/v1/workloads/trainings/" + id).status, 200);
}

TEST(SimulatorApi, EventsPodsAndHistoryAreListed) {
  const SimulatorProcess simulator(standing_clock());
  const ApiClient client(simulator);
  simulator.script({{"phases", {{{"phase", "Running"}, {"ms", 10}}, {{"phase", "Completed"}}}}, {"extraEvents", 150}});
  const auto id = client.create(distributed("a", 2, 8));
  const auto path = "/api/v1/workloads/" + id;
  const auto page = client.get(path + "/events?limit=100&sortOrder=asc");
  EXPECT_EQ(page["events"].size(), 100U);
  EXPECT_EQ(page["events"][0]["reason"], "Pulled");
  EXPECT_EQ(page["next"], 100);
  EXPECT_EQ(client.get(path + "/events?limit=1")["events"][0]["message"], "Probe 150");
  std::vector<std::string> pods;
  const auto listed = client.get(path + "/pods");
  for (const auto& pod : listed["pods"]) pods.push_back(pod["name"]);
  EXPECT_THAT(pods, ElementsAre("a-launcher", "a-worker-0", "a-worker-1"));
  EXPECT_EQ(client.get(path + "/history")["records"][0]["spec"]["phaseUpdate"]["phase"], "Running");
  simulator.settings({{"nullEvents", true}});
  EXPECT_TRUE(client.get(path + "/events?sortOrder=asc")["events"][1].is_null());
}

TEST(SimulatorApi, OthersWorkloadsFillPages) {
  auto options = standing_clock();
  options.state = {{"workloads", {{{"name", "other"}, {"count", 600}}}}};
  const SimulatorProcess simulator(options);
  const ApiClient client(simulator);
  EXPECT_EQ(client.get("/api/v1/workloads?limit=500")["next"], 500);
  EXPECT_EQ(client.get("/api/v1/workloads?limit=500&offset=500")["workloads"].size(), 100U);
  client.create(training("a"));
  simulator.reset();
  EXPECT_EQ(simulator.workloads().size(), 600U);
}

}  // namespace
}  // namespace runai_simulator
