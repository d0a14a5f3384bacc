// From loading to unloading, as a scheduler that tells the log everything sees it.
#include <gmock/gmock.h>

#include <cstring>

#include "cloudai/abi/host_counter.h"
#include "cloudai/abi/host_process.h"
#include "core/module/proxies.hpp"
#include "core/support/files.hpp"
#include "tests/core/module/captured_log.hpp"
#include "tests/core/module/scratch.hpp"

namespace cloudai::module {
namespace {

using test::CapturedLog;
using test::Scratch;
using testing::ElementsAre;
using testing::IsEmpty;

struct LoaderTest : testing::Test {
  std::vector<std::string> logged() { return log_.lines(); }

  Scratch scratch_;
  CapturedLog log_;
  Host host_;
};

TEST_F(LoaderTest, AModuleLivesAsLongAsItsLoader) {
  scratch_.add("scheduler");
  const auto catalogue = Catalogue::scan({scratch_.path()});
  {
    Loader loader(catalogue, host_);
    EXPECT_THAT(loader.loaded(), IsEmpty());
    {
      const auto scheduler = loader.open_scheduler("fixture", {{"schema", "cloudai.scheduler.open/1"}});
      ASSERT_TRUE(scheduler) << scheduler.error().message;
      EXPECT_EQ((*scheduler)->facts()["nodes"][0], "n1");
      EXPECT_THAT(logged(), ElementsAre("info test.scheduler: scheduler init", "info test.scheduler: second line",
                                        "info test.scheduler: scheduler open"));
    }
    EXPECT_THAT(logged(), ElementsAre("info test.scheduler: scheduler close"));
    ASSERT_TRUE(loader.reporter("fixture")) << "the same file again: it is not loaded twice";
    EXPECT_THAT(logged(), IsEmpty());
  }
  EXPECT_THAT(logged(), ElementsAre("info test.scheduler: scheduler deinit"));
}

TEST_F(LoaderTest, AnInstanceThatOutlivesTheLoaderIsClosedFirst) {
  scratch_.add("scheduler");
  const auto catalogue = Catalogue::scan({scratch_.path()});
  auto loader = std::make_unique<Loader>(catalogue, host_);
  auto scheduler = loader->open_scheduler("fixture", Json::object()).value();
  loader.reset();
  logged();
  EXPECT_TRUE(scheduler->poll({"7"}));
  scheduler.reset();
  EXPECT_THAT(logged(), ElementsAre("info test.scheduler: scheduler close", "info test.scheduler: scheduler deinit"));
}

TEST_F(LoaderTest, WhatWasLoadedIsKnownByItsContent) {
  const auto file = scratch_.add("good");
  scratch_.add("scheduler");
  const auto catalogue = Catalogue::scan({scratch_.path()});
  Loader loader(catalogue, host_);
  ASSERT_TRUE(loader.reporter("fixture"));
  ASSERT_TRUE(loader.workload("Fixture"));
  ASSERT_TRUE(loader.workload("Fixture"));
  const auto loaded = loader.loaded();
  ASSERT_EQ(loaded.size(), 2U);
  EXPECT_EQ(loaded[0].id, "test.scheduler");
  EXPECT_EQ(loaded[1].id, "test.good");
  EXPECT_EQ(loaded[1].version, "1.0.0");
  EXPECT_EQ(loaded[1].path, file);
  EXPECT_EQ(loaded[1].sha256, files::sha256(file).value());
}

TEST_F(LoaderTest, AModuleThatFailedToLoadStaysFailed) {
  scratch_.add("refuses_init");
  const auto catalogue = Catalogue::scan({scratch_.path()});
  Loader loader(catalogue, host_);
  const auto first = loader.workload("Fixture");
  const auto second = loader.workload("Fixture");
  ASSERT_FALSE(first);
  ASSERT_FALSE(second);
  EXPECT_EQ(first.error().message, second.error().message);
  EXPECT_THAT(loader.loaded(), IsEmpty());
}

TEST_F(LoaderTest, AnUnknownNameIsTheCataloguesMatter) {
  const auto catalogue = Catalogue::scan({scratch_.path()});
  Loader loader(catalogue, host_);
  EXPECT_EQ(loader.reporter("html").error().message, "no module provides reporter 'html'.");
}

TEST_F(LoaderTest, RepliesOfASchedulerAreChecked) {
  scratch_.add("scheduler");
  const auto catalogue = Catalogue::scan({scratch_.path()});
  Loader loader(catalogue, host_);
  const auto scheduler = loader.open_scheduler("fixture", Json::object()).value();
  EXPECT_EQ(scheduler->poll({"7"}).value()["jobs"], Json::array());
  EXPECT_EQ(scheduler->submit(Json::object()).value()["id"], "7");
  EXPECT_EQ(scheduler->allocate(Json::object()).value()["wait"], "busy");
  EXPECT_EQ(scheduler->find(Json::object()).value()["id"], "7");
  EXPECT_EQ(scheduler->cancel({"7"}).error().message,
            "scheduler 'fixture' answered cancel() with a document whose 'not_cancelled' is not a list.");
  EXPECT_EQ(scheduler->render(Json::object()).error().message,
            "scheduler 'fixture' answered render() with a document of schema 'cloudai.states/1', where "
            "'cloudai.rendering/1' was expected.");
  EXPECT_EQ(scheduler->collect("7").error().message,
            "scheduler 'fixture' answered collect() with a document of schema 'cloudai.states/1', where "
            "'cloudai.job_result/1' was expected.");
  EXPECT_EQ(loader.reporter("fixture").value()->write(Json::object()).value()["files"], Json({"a.html"}));
}

TEST_F(LoaderTest, CancellationReachesTheModule) {
  scratch_.add("scheduler");
  const auto catalogue = Catalogue::scan({scratch_.path()});
  Loader loader(catalogue, host_);
  const auto scheduler = loader.open_scheduler("fixture", Json::object()).value();
  EXPECT_FALSE(host_.is_cancelled());
  host_.cancel();
  EXPECT_TRUE(host_.is_cancelled());
  EXPECT_EQ(scheduler->poll({"7"}).error().message, "module 'test.scheduler' 1.0.0 failed in poll(): cancelled.");
}

TEST_F(LoaderTest, TheHostOffersItsInterfacesAndNothingElse) {
  const cloudai_host* host = host_.for_module("someone");
  EXPECT_EQ(host->struct_size, sizeof(cloudai_host));
  const auto interface_of = [&](std::string_view id) {
    return host->get_interface(host->context, {id.data(), id.size()});
  };
  EXPECT_NE(interface_of("cloudai.host.process/1"), nullptr);
  EXPECT_EQ(interface_of("cloudai.host.process/2"), nullptr);
  EXPECT_NE(interface_of("cloudai.host.counter/1"), nullptr);
  EXPECT_EQ(interface_of("cloudai.host.counter/2"), nullptr);
  EXPECT_EQ(interface_of(""), nullptr);
  EXPECT_EQ(host_.for_module("someone"), host);
  EXPECT_NE(host_.for_module("another"), host);
}

TEST_F(LoaderTest, RequestsOfAllModulesAreCountedBesideTheirCommands) {
  const auto call = [&](const char* module_id, const char* interface_id) {
    const cloudai_host* host = host_.for_module(module_id);
    return std::pair(host->context, host->get_interface(host->context, {interface_id, std::strlen(interface_id)}));
  };
  const auto count = [&](const char* module_id, std::string_view what) {
    const auto [context, functions] = call(module_id, CLOUDAI_HOST_COUNTER_V1);
    static_cast<const cloudai_host_counter_v1*>(functions)->count(context, {what.data(), what.size()});
  };
  EXPECT_EQ(static_cast<const cloudai_host_counter_v1*>(call("someone", CLOUDAI_HOST_COUNTER_V1).second)->struct_size,
            sizeof(cloudai_host_counter_v1));
  count("someone", "GET workloads");
  count("another", "GET workloads");
  count("someone", "PUT token");
  count("someone", "");
  const auto [context, functions] = call("someone", CLOUDAI_HOST_PROCESS_V1);
  const std::string_view command = R"({"argv": ["true"]})";
  const cloudai_sink nowhere{nullptr, [](void*, cloudai_str) {}};
  EXPECT_EQ(
      static_cast<const cloudai_host_process_v1*>(functions)->run(context, {command.data(), command.size()}, &nowhere),
      CLOUDAI_OK);
  EXPECT_EQ(host_.command_counts(),
            (std::map<std::string, std::size_t>{{"GET workloads", 2}, {"PUT token", 1}, {"true", 1}}));
}

TEST_F(LoaderTest, EachLevelOfTheLogIsKept) {
  const cloudai_host* host = host_.for_module("someone");
  const std::string_view text = "told\n\n";
  for (const int level :
       std::initializer_list<int>{CLOUDAI_LOG_DEBUG, CLOUDAI_LOG_INFO, CLOUDAI_LOG_WARNING, CLOUDAI_LOG_ERROR, 99}) {
    host->log(host->context, level, {text.data(), text.size()});
  }
  host->log(host->context, CLOUDAI_LOG_INFO, {nullptr, 0});
  EXPECT_THAT(logged(), ElementsAre("debug someone: told", "info someone: told", "warning someone: told",
                                    "error someone: told", "info someone: told"));
}

}  // namespace
}  // namespace cloudai::module
