// Calls on built modules: dispatch to the provider, replies, and errors that stay inside.
#include <gtest/gtest.h>

#include "cloudai/documents/outcome.hpp"
#include "cloudai/documents/reporter.hpp"
#include "cloudai/documents/scheduler.hpp"
#include "tests/paths.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai::testing {
namespace {

class Everything : public ::testing::Test {
 protected:
  static StageRequest stage(const std::string& provider) {
    Step step;
    step.command.shell = "true";
    Plan plan;
    plan.steps.push_back(step);
    return stage_request(run_request(provider, Json::object()), plan);
  }

  static void expect_error(const Reply& reply, cloudai_status status, const char* document) {
    EXPECT_EQ(reply.status, status);
    EXPECT_EQ(reply.json(), Json::parse(document));
  }

  FakeHost host_;
  LoadedModule module_{tree::build_directory() + "/tests/sdk/fixtures/everything.so", host_};
};

TEST_F(Everything, AnErrorBecomesStatusAndDocument) {
  expect_error(module_.plan(run_request("ThrowsError", Json::object())), CLOUDAI_INVALID_CONFIG,
               R"({"message": "ngpus is 9.", "hint": "Give at most 8.", "path": "/test/cmd_args/ngpus"})");
  expect_error(module_.evaluate(stage("ThrowsError")), CLOUDAI_CANCELLED, R"({"message": "Stopped."})");
  expect_error(module_.requirements(test_request("ThrowsError", Json::object())), CLOUDAI_UNAVAILABLE,
               R"({"message": "The registry does not answer.", "retryable": true})");
}

TEST_F(Everything, AnyOtherExceptionIsADefect) {
  expect_error(module_.plan(run_request("ThrowsStandard", Json::object())), CLOUDAI_INTERNAL,
               R"({"message": "no element 7"})");
  expect_error(module_.evaluate(stage("ThrowsStandard")), CLOUDAI_INTERNAL, R"({"message": "std::bad_alloc"})");
  for (const Reply& reply :
       {module_.plan(run_request("ThrowsNumber", Json::object())), module_.evaluate(stage("ThrowsNumber"))}) {
    expect_error(reply, CLOUDAI_INTERNAL, R"({"message": "Something that is no std::exception was thrown."})");
  }
}

TEST_F(Everything, GarbledTextBecomesADocumentAllTheSame) {
  const Reply reply = module_.evaluate(stage("Good"));
  ASSERT_EQ(reply.status, CLOUDAI_OK);
  const auto outcome = from_json<Outcome>(reply.json());
  EXPECT_EQ(outcome.reason->text, "it printed '\xef\xbf\xbd\xef\xbf\xbd'");
  EXPECT_TRUE(outcome.metrics.empty());
}

TEST_F(Everything, LogsThroughTheHost) {
  EXPECT_EQ(module_.plan(run_request("Good", Json::object())).status, CLOUDAI_OK);
  ASSERT_EQ(host_.log.size(), 1U);
  EXPECT_EQ(host_.log[0].text, "planning Tests.1");
}

TEST_F(Everything, RefusesAProviderItDoesNotHave) {
  expect_error(module_.plan(run_request("Other", Json::object())), CLOUDAI_UNSUPPORTED,
               R"({"message": "This module does not provide 'Other' (cloudai.workload/1).", "path": "/provider"})");
  // A name of another interface does not count.
  expect_error(module_.plan(run_request("first", Json::object())), CLOUDAI_UNSUPPORTED,
               R"({"message": "This module does not provide 'first' (cloudai.workload/1).", "path": "/provider"})");
}

TEST_F(Everything, RefusesWhatIsNoDocument) {
  const auto plan = module_.workload()->plan;
  for (const char* text : {"", "{", "garbage", "{\"a\": \"\xff\"}", "[1,", "{\"schema\":\"cloudai.run/1\",\"prov"}) {
    const Reply reply = LoadedModule::call_text(plan, nullptr, text);
    EXPECT_EQ(reply.status, CLOUDAI_INVALID_DOCUMENT) << text;
    EXPECT_EQ(reply.message(), "The request is not JSON.") << text;
  }
  for (const char* text : {"[]", "null", "7", "{}", "{\"provider\": 7}"}) {
    EXPECT_EQ(LoadedModule::call_text(plan, nullptr, text).status, CLOUDAI_INVALID_DOCUMENT) << text;
  }
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_EQ(LoadedModule::call_text(plan, nullptr, deep).status, CLOUDAI_INVALID_DOCUMENT);
}

TEST_F(Everything, OffersOnlyTheInterfacesItProvides) {
  EXPECT_EQ(module_.workload()->struct_size, sizeof(cloudai_workload_v1));
  EXPECT_EQ(module_.scheduler()->struct_size, sizeof(cloudai_scheduler_v1));
  EXPECT_NE(module_.interface<cloudai_reporter_v1>(CLOUDAI_REPORTER_V1), nullptr);
  EXPECT_EQ(module_.interface<void>("cloudai.workload/2"), nullptr);
  EXPECT_EQ(module_.interface<void>(""), nullptr);
}

TEST_F(Everything, ReportersAreToldApart) {
  ReportRequest request;
  request.directory = "/results";
  request.results = {{"/results"}};
  request.provider = "first";
  EXPECT_EQ(module_.write(request).json(), Json::parse(R"({"files": ["a"]})"));
  request.provider = "second";
  EXPECT_EQ(module_.write(request).json(), Json::parse(R"({"files": ["b"]})"));
}

class OpenedScheduler : public Everything {
 protected:
  OpenedScheduler() {
    OpenRequest request;
    request.provider = "good";
    request.system.name = "a_system";
    request.system.options.json = {{"node", "node001"}};
    opened_ = module_.open(request, &instance_);
  }
  ~OpenedScheduler() override { module_.scheduler()->close(instance_); }

  Reply call(cloudai_call function, const char* request) const {
    return LoadedModule::call_text(function, instance_, request);
  }

  void* instance_ = nullptr;
  Reply opened_;
};

TEST_F(OpenedScheduler, GivesFacts) {
  ASSERT_EQ(opened_.status, CLOUDAI_OK) << opened_.text;
  EXPECT_EQ(from_json<Facts>(opened_.json()).nodes, std::vector<std::string>{"node001"});
}

TEST_F(OpenedScheduler, AnswersEveryCall) {
  const cloudai_scheduler_v1* functions = module_.scheduler();
  EXPECT_EQ(call(functions->allocate, R"({"nodes": {"count": 1}, "taken": []})").text, R"({"nodes":["node001"]})");
  EXPECT_EQ(call(functions->allocate, R"({"nodes": {"count": 1}, "taken": ["node001"]})").text,
            R"({"wait":"the node is taken"})");

  const Reply rendered = call(functions->render, R"({"schema": "cloudai.job/1", "tag": "t1", "name": "s.c",
    "nodes": {"count": 1}, "directory": "/d", "runs": []})");
  ASSERT_EQ(rendered.status, CLOUDAI_OK) << rendered.text;
  EXPECT_EQ(from_json<Rendering>(rendered.json()).files.at(0).path, "t1.sh");

  EXPECT_EQ(call(functions->find, R"({"tag": "t1", "directory": "/d"})").text, "{}");
  EXPECT_EQ(call(functions->submit, R"({"tag": "t1", "directory": "/d", "submission": {}})").text,
            R"({"id":"1","watch":["/d/finished"]})");
  EXPECT_EQ(call(functions->find, R"({"tag": "t1", "directory": "/d"})").text, R"({"id":"1"})");
  EXPECT_EQ(call(functions->poll, R"({"ids": ["1"]})").text,
            R"({"schema":"cloudai.states/1","jobs":[{"id":"1","state":"running","stages":[]}]})");
  EXPECT_EQ(call(functions->cancel, R"({"ids": ["1"]})").text,
            R"({"not_cancelled":[{"id":"1","message":"It does not listen."}]})");
  EXPECT_EQ(from_json<JobResult>(call(functions->collect, R"({"id": "1"})").json()).nodes.at(0).name, "node001");
  EXPECT_EQ(call(functions->provision, R"({"item": {"id": "i", "kind": "docker_image"}, "action": "check"})").status,
            CLOUDAI_UNSUPPORTED);
}

TEST_F(OpenedScheduler, AnExceptionStaysInside) {
  const Reply reply = call(module_.scheduler()->cancel, R"({"ids": []})");
  EXPECT_EQ(reply.status, CLOUDAI_INTERNAL);
  EXPECT_NE(reply.message(), "");
}

TEST_F(Everything, ASchedulerThatCannotBeOpenedGivesNoInstance) {
  OpenRequest request;
  request.provider = "refusing";
  request.system.name = "a_system";
  request.system.options.json = {{"node", "node001"}};
  void* instance = nullptr;
  expect_error(module_.open(request, &instance), CLOUDAI_UNAVAILABLE,
               R"({"message": "The cluster does not answer.", "retryable": true})");
  EXPECT_EQ(instance, nullptr);
}

TEST(C99Workload, AnswersLikeAnyOther) {
  FakeHost host;
  const LoadedModule module(tree::build_directory() + "/tests/sdk/fixtures/c99_workload.so", host);
  const RunRequest run = run_request("C99Workload", Json::object());
  const auto plan = from_json<Plan>(module.plan(run).json());
  EXPECT_EQ(plan.steps.at(0).command.argv, std::vector<std::string>{"true"});
  EXPECT_EQ(from_json<Outcome>(module.evaluate(stage_request(run, plan)).json()).verdict, Verdict::passed);
  EXPECT_EQ(host.log.at(0).text, "planned in C99");
  EXPECT_EQ(LoadedModule::call_text(module.workload()->plan, nullptr, "").message(), "The request is empty.");
}

// The guide's example does what the guide says.
TEST(GuideExample, MeasuresWhatDdSays) {
  FakeHost host;
  const TemporaryDirectory directory;
  const LoadedModule module(tree::build_directory() + "/tests/sdk/fixtures/guide_example.so", host);
  const RunRequest run = run_request("DiskWrite", {{"mebibytes", 256}}, directory.path());
  const auto plan = from_json<Plan>(module.plan(run).json());
  EXPECT_EQ(plan.steps.at(0).command.argv.at(4), "count=256");

  const auto silent = from_json<Outcome>(module.evaluate(stage_request(run, plan)).json());
  EXPECT_EQ(silent.verdict, Verdict::failed);
  EXPECT_EQ(silent.reason->code, "no_measurement");

  directory.write("stderr.txt",
                  "256+0 records in\n256+0 records out\n268435456 bytes (268 MB, 256 MiB) copied, 0.5 s, 537 MB/s\n");
  const auto measured = from_json<Outcome>(module.evaluate(stage_request(run, plan)).json());
  EXPECT_EQ(measured.verdict, Verdict::passed);
  EXPECT_DOUBLE_EQ(measured.metrics.at(0).value, 0.536870912);
}

}  // namespace
}  // namespace cloudai::testing
