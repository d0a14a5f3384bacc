// Making a workload, and what is asked of a tenant before.
#include "creation.hpp"

#include "fake_tenant.hpp"

namespace runai {
namespace {

using runai::testing::failure;
using runai::testing::FakeTenantTest;
using runai::testing::refusal;
using runai::testing::reply;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Json = cloudai::Json;

class CreationTest : public FakeTenantTest {
 protected:
  Created create() {
    Submission submission;
    submission.name = "nccl-tag1";
    return creation_.create("tag1", submission, R"({"name":"nccl-tag1"})");
  }
  Creation creation_{api_,
                     options_.limits,
                     [] { return std::chrono::steady_clock::now(); },
                     {milliseconds(300), milliseconds(20), milliseconds(50)}};
};

constexpr const char* made = R"({"workloadId":"id-1","name":"nccl-tag1"})";
constexpr const char* listed = R"({"workloads":[{"id":"id-1","name":"nccl-tag1","phase":"Pending"}]})";
constexpr const char* post = "POST /api/v1/workloads/trainings";

TEST_F(CreationTest, OneThatIsTakenHasAnId) {
  tenant_.say(post, {reply(202, made)});
  EXPECT_EQ(create().id, "id-1");
}

struct Doubt {
  const char* name;
  HttpResult answer;
};
class CreationDoubt : public CreationTest, public ::testing::WithParamInterface<Doubt> {};

TEST_P(CreationDoubt, WhatMayHaveBeenMadeIsLookedForAndTaken) {
  tenant_.say(post, {GetParam().answer});
  // The list lags behind.
  tenant_.say("GET /api/v1/workloads?", {reply(200, R"({"workloads":[]})"), reply(200, listed)});
  const Created created = create();
  EXPECT_EQ(created.id, "id-1");
  EXPECT_EQ(created.name, "nccl-tag1");
  EXPECT_EQ(tenant_.count("POST /api/v1/workloads"), 1);
}

INSTANTIATE_TEST_SUITE_P(All, CreationDoubt,
                         ::testing::Values(Doubt{"Reset", failure(HttpFailure::Kind::broken)},
                                           Doubt{"Status500", reply(500)}, Doubt{"Status503", reply(503)},
                                           Doubt{"Empty", reply(202, "")}, Doubt{"NoId", reply(202, "{}")},
                                           Doubt{"Conflict", reply(409)}),
                         [](const auto& row) { return row.param.name; });

TEST_F(CreationTest, WhatWasNotMadeIsMadeOnceMore) {
  tenant_.say(post, {failure(HttpFailure::Kind::broken), reply(202, made)});
  tenant_.say("GET /api/v1/workloads?", {reply(200, R"({"workloads":[]})")});
  EXPECT_EQ(create().id, "id-1");
  EXPECT_EQ(tenant_.count("POST /api/v1/workloads"), 2);
  EXPECT_GE(tenant_.count("GET"), 2);
}

TEST_F(CreationTest, TwoAttemptsAreAll) {
  tenant_.say(post, {reply(500, R"({"code":500,"message":"Something went wrong."})")});
  tenant_.say("GET /api/v1/workloads?", {reply(200, R"({"workloads":[]})")});
  EXPECT_EQ(refusal([&] { create(); }).message(),
            "Run:ai did not make the workload 'nccl-tag1' in two attempts: status 500: Something went wrong.");
  EXPECT_EQ(tenant_.count("POST /api/v1/workloads"), 2);
}

TEST_F(CreationTest, WhatMayExistAndCannotBeLookedForIsNotMadeAgain) {
  tenant_.say(post, {failure(HttpFailure::Kind::broken, "the connection was reset")});
  tenant_.say("GET /api/v1/workloads?", {reply(403, R"({"message":"No."})")});
  const auto error = refusal([&] { create(); });
  EXPECT_EQ(error.message(),
            "It is not known whether Run:ai made the workload 'nccl-tag1': the connection was reset. Since then: The "
            "workloads of the project cannot be asked for: status 403: No.");
  EXPECT_EQ(error.hint(), "Look for a workload of this name in Run:ai and delete it.");
  EXPECT_EQ(tenant_.count("POST /api/v1/workloads"), 1);
}

TEST_F(CreationTest, ANameThatIsTakenByAnotherIsChangedOnce) {
  tenant_.say(post, {reply(409), reply(202, made)});
  tenant_.say("GET /api/v1/workloads?", {reply(200, R"({"workloads":[]})")});
  EXPECT_EQ(create().name, "nccl-2-tag1");
  EXPECT_EQ(Json::parse(tenant_.requests.back().body).at("name"), "nccl-2-tag1");
}

TEST_F(CreationTest, ARefusalTellsWhatThePolicySays) {
  tenant_.say(
      post,
      {reply(400,
             R"({"code":400,"message":"The workload request does not comply with the policy set by the administrator",
      "complianceIssues":[{"field":"compute.gpuDevicesRequest","details":"value must be no more than 4","rule":"max"}]})")});
  EXPECT_EQ(refusal([&] { create(); }).message(),
            "Run:ai does not take the workload: status 400: The workload request does not comply with the policy set "
            "by the administrator; compute.gpuDevicesRequest: value must be no more than 4.");
  tenant_.say(post, {reply(403, R"({"code":403,"message":"You do not have sufficient permissions."})")});
  const auto error = refusal([&] { create(); });
  EXPECT_EQ(error.hint(),
            "The application lacks a role: in Run:ai, give it one that may create, view and delete workloads in the "
            "scope of the project.");
}

TEST_F(CreationTest, ATenantThatTakesNothingNowIsAskedLater) {
  tenant_.say(post, {reply(429, "", {{"retry-after", "0"}})});
  EXPECT_EQ(create().wait, "Run:ai takes no workload now: status 429.");
  options_.limits.unreachable = seconds(0);
  EXPECT_EQ(refusal([&] { create(); }).message(),
            "Run:ai takes no workload for 0 s (unreachable_timeout): status 429.");
}

TEST_F(CreationTest, WhatMayHaveBeenMadeIsFoundEvenIfCloudaiStopsMeanwhile) {
  tenant_.say(post, {failure(HttpFailure::Kind::cancelled)});
  tenant_.say("GET /api/v1/workloads?", {reply(200, listed)});
  host_.cancelled = true;
  EXPECT_EQ(create().id, "id-1");
  tenant_.say("GET /api/v1/workloads?", {reply(200, R"({"workloads":[]})")});
  EXPECT_EQ(refusal([&] { create(); }).status(), cloudai::Status::cancelled);
}

class TenantFactsTest : public FakeTenantTest {
 protected:
  TenantFactsTest() {
    tenant_.say("GET /api/v1/org-unit/projects/4201",
                {reply(200, R"({"id":"4201","name":"bench","clusterId":"6b0c5c0e-3a57-4d0b-9d55-0f6a2f8f1d11"})")});
    tenant_.say("GET /api/v1/clusters", {reply(200, R"([{"uuid":"other","name":"o"},
        {"uuid":"6b0c5c0e-3a57-4d0b-9d55-0f6a2f8f1d11","name":"c","domain":"c.example.com/","version":"2.24",
         "status":{"state":"Connected"}}])")});
  }
};

TEST_F(TenantFactsTest, ProjectAndClusterAreAskedForOnce) {
  const Tenant tenant = api_.tenant();
  EXPECT_EQ(tenant.project_name, "bench");
  EXPECT_EQ(tenant.cluster_domain, "c.example.com/");
  EXPECT_THAT(tenant.notes, ::testing::IsEmpty());
}

TEST_F(TenantFactsTest, WhatIsNotThereIsRefused) {
  tenant_.say("GET /api/v1/clusters", {reply(200, R"([{"uuid":"other","name":"o"}])")});
  auto error = refusal([&] { api_.tenant(); });
  EXPECT_EQ(error.message(), "Run:ai has no cluster '6b0c5c0e-3a57-4d0b-9d55-0f6a2f8f1d11' (cluster_id).");
  EXPECT_EQ(error.hint(), "It has: other (o).");
  tenant_.say("GET /api/v1/org-unit/projects/4201", {reply(404)});
  error = refusal([&] { api_.tenant(); });
  EXPECT_EQ(error.message(), "Run:ai has no project '4201' (project_id).");
}

TEST_F(TenantFactsTest, WhatMayNotBeSeenIsSaid) {
  tenant_.say("GET /api/v1/org-unit/projects/4201", {reply(403, R"({"message":"No."})")});
  tenant_.say("GET /api/v1/clusters", {reply(403, R"({"message":"No."})")});
  EXPECT_THAT(api_.tenant().notes,
              ::testing::ElementsAre(
                  "The project cannot be asked for, so output of workloads cannot be fetched: status 403: No.",
                  "The clusters cannot be asked for, so output of workloads cannot be fetched: status 403: No."));
}

}  // namespace
}  // namespace runai
