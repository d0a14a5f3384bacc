#include "modules/workloads/nccl_test/measurements.hpp"

#include <gtest/gtest.h>

#include "modules/workloads/nccl_test/facts.hpp"
#include "tests/modules/workloads/nccl_test/logs.hpp"

namespace cloudai::nccl_test {
namespace {

Outcome outcome_of(const std::string& log, const std::string& collective = "all_reduce") {
  Outcome outcome;
  const Output output = parsed_log(log);
  outcome.facts = facts_of(output, collective);
  add_tables(output, outcome);
  add_metrics(output, collective, outcome);
  return outcome;
}

std::vector<Metric> metrics_named(const Outcome& outcome, const std::string& name, const std::string& size,
                                  const std::string& placement) {
  std::vector<Metric> found;
  for (const Metric& metric : outcome.metrics) {
    if (metric.name == name && metric.labels.at("size") == size && metric.labels.at("placement") == placement) {
      found.push_back(metric);
    }
  }
  return found;
}

TEST(Measurements, MetricsOfEverySizeAndPlacement) {
  const Outcome outcome = outcome_of("2024_baseline_16_ranks");
  EXPECT_EQ(outcome.metrics.size(), 4U * 2U * 3U);
  const auto busbw = metrics_named(outcome, "busbw", "17179869184", "in");
  ASSERT_EQ(busbw.size(), 1U);
  EXPECT_EQ(busbw[0].value, 567.98);
  EXPECT_EQ(busbw[0].unit, "GB/s");
  EXPECT_EQ(busbw[0].better, Better::higher);
  EXPECT_EQ(busbw[0].resolution, 0.01);
  EXPECT_EQ(busbw[0].labels, (std::map<std::string, std::string>{
                                 {"collective", "all_reduce"}, {"placement", "in"}, {"size", "17179869184"}}));
  const auto time = metrics_named(outcome, "time", "8", "out");
  ASSERT_EQ(time.size(), 1U);
  EXPECT_EQ(time[0].value, 20.0);
  EXPECT_EQ(time[0].unit, "us");
  EXPECT_EQ(time[0].better, Better::lower);
  EXPECT_EQ(time[0].resolution, 0);
}

TEST(Measurements, TheHeadlineIsTheLargestBandwidthAndTheSmallestTime) {
  const Outcome outcome = outcome_of("2024_baseline_16_ranks");
  std::vector<std::string> headline;
  for (const Metric& metric : outcome.metrics) {
    if (metric.headline) {
      headline.push_back(metric.name + " " + metric.labels.at("size") + " " + metric.labels.at("placement"));
    }
  }
  EXPECT_EQ(headline, (std::vector<std::string>{"time 8 out", "busbw 17179869184 out", "busbw 17179869184 in"}));
}

TEST(Measurements, TheTableHasTheColumnsOfTheCsvReport) {
  const Outcome outcome = outcome_of("alltoall_inplace_na", "alltoall");
  ASSERT_EQ(outcome.tables.size(), 1U);
  const Table& table = outcome.tables[0];
  EXPECT_EQ(table.name, "nccl_test");
  std::string names;
  for (const Column& column : table.columns) names += column.name + ",";
  EXPECT_EQ(
      names,
      "Size (B),Count,Type,Redop,Root,Time (us) Out-of-place,Algbw (GB/s) Out-of-place,Busbw (GB/s) Out-of-place,"
      "#Wrong Out-of-place,Time (us) In-place,Algbw (GB/s) In-place,Busbw (GB/s) In-place,#Wrong In-place,GPU Type,"
      "Devices per Node,Ranks,Size Human-readable,");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(
      Json(table.rows[0]).dump(),
      R"([1048576,262144,"float","none",-1,23.5,44.63,41.84,0,23.26,45.08,42.26,null,"NVIDIA H100 80GB HBM3",8,16,"1MB"])");
}

TEST(Measurements, ThePlotsAreOfColumnsThatExist) {
  const Outcome outcome = outcome_of("2021_alltoall_blank_redop", "alltoall");
  const auto has = [&](const std::string& name) {
    for (const Column& column : outcome.tables[0].columns) {
      if (column.name == name) return true;
    }
    return false;
  };
  ASSERT_EQ(outcome.plots.size(), 2U);
  for (const Plot& plot : outcome.plots) {
    EXPECT_EQ(plot.x_scale, Scale::log);
    EXPECT_TRUE(has(plot.x));
    ASSERT_EQ(plot.y.size(), 2U);
    EXPECT_TRUE(has(plot.y[0]) && has(plot.y[1]));
    EXPECT_EQ(plot.dashed, std::vector<std::string>{plot.y[1]});
    EXPECT_EQ(plot.failed.at(plot.y[0]), "#Wrong Out-of-place");
    EXPECT_EQ(plot.failed.at(plot.y[1]), "#Wrong In-place");
  }
  EXPECT_EQ(outcome.plots[0].title, "Bus bandwidth");
  EXPECT_EQ(outcome.plots[0].y_scale, Scale::linear);
  EXPECT_EQ(outcome.plots[1].title, "Time of small messages");
  EXPECT_EQ(outcome.plots[1].y_scale, Scale::log);
  EXPECT_EQ(outcome.plots[1].x_max, 65536);
}

TEST(Measurements, NoPlotOfSmallMessagesWhereThereAreFew) {
  EXPECT_EQ(outcome_of("alltoall_inplace_na", "alltoall").plots.size(), 1U);
  EXPECT_EQ(outcome_of("2024_baseline_16_ranks").plots.size(), 1U);
}

TEST(Measurements, Facts) {
  const auto facts = outcome_of("2024_baseline_16_ranks").facts;
  EXPECT_EQ(facts, (std::map<std::string, std::string>{{"avg_busbw", "302.862 GB/s"},
                                                       {"collective", "all_reduce"},
                                                       {"devices_per_node", "8"},
                                                       {"gpu_type", "NVIDIA H100 80GB HBM3"},
                                                       {"nccl_version", "2.21.5+cuda12.4"},
                                                       {"nodes", "2"},
                                                       {"ranks", "16"}}));
  EXPECT_EQ(outcome_of("warn_inside_row").facts.at("malformed_rows"), "1, the first in line 19");
  EXPECT_EQ(outcome_of("requeue_append").facts.at("attempts"),
            "2, the first ended by NODE FAILURE; only the last is reported");
  EXPECT_EQ(outcome_of("device_list_truncated").facts.at("ranks"), "at least 7");
  EXPECT_EQ(outcome_of("2021_broadcast_root_column").facts.at("wrong_values"), "not counted");
  EXPECT_EQ(outcome_of("device_line_forms").facts.at("gpu_type"),
            "AMD Instinct MI300X, NVIDIA GB200, NVIDIA H100 80GB HBM3, Tesla T4");
}

TEST(Measurements, FactsOfTheVersions) {
  const auto newer = outcome_of("memory_report_footer").facts;
  EXPECT_EQ(newer.at("nccl_version"), "2.28.7");
  EXPECT_EQ(newer.at("nccl_tests_version"), "2.18.3");
  EXPECT_EQ(newer.at("gpu_memory_usage"), "Initialization 1.21 GB | User 1.00 GB | Buffers 64.0 MB | Total  2.27 GB");
  EXPECT_EQ(outcome_of("rccl_text").facts.at("nccl_tests_version"), "rccl-tests develop:0f1e2d3");
  EXPECT_EQ(outcome_of("2017_milliseconds").facts.at("format"), "2017");
  const Output debug = parsed_text(
      "node001:4100:4119 [0] NCCL INFO cudaDriverVersion 12080\n"
      "node001:4100:4119 [0] NCCL INFO NCCL version 2.27.3+cuda12.9\n");
  EXPECT_EQ(facts_of(debug, ""),
            (std::map<std::string, std::string>{{"driver_version", "CUDA 12.8"}, {"nccl_version", "2.27.3+cuda12.9"}}));
}

TEST(Measurements, WarningsAreFacts) {
  EXPECT_EQ(outcome_of("warn_inside_row").facts.at("warnings"),
            "2, the first in line 18: node001:4100:4119 [0] misc/socket.cc:550 NCCL WARN socketProgress: retrying");
  EXPECT_EQ(outcome_of("device_line_forms").facts.at("mixed_gpu_types"), "4 different types in one run");
  EXPECT_EQ(facts_of(parsed_text("[1,3]<stderr>:it is hot\n[1,0]<stdout>:it is not\n"), "").at("warnings"),
            "1, the first in line 1: it is hot");
}

TEST(Measurements, CyclesAreAveraged) {
  const Outcome outcome = outcome_of("run_cycles");
  EXPECT_EQ(outcome.metrics.size(), 2U * 2U * 3U);
  EXPECT_DOUBLE_EQ(metrics_named(outcome, "time", "1048576", "out").at(0).value, 23.5);
}

TEST(Measurements, ASizeOfSeveralRowsHasLeastMeanAndMost) {
  const Outcome outcome = outcome_of("gather_root_all", "gather");
  ASSERT_EQ(outcome.tables.size(), 2U);
  const Table& table = outcome.tables[1];
  EXPECT_EQ(table.name, "nccl_test_by_size");
  ASSERT_EQ(table.columns.size(), 14U);
  EXPECT_EQ(table.columns[2].name, "Time (us) Out-of-place Min");
  EXPECT_EQ(table.columns[7].name, "Busbw (GB/s) Out-of-place Max");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0][0], 1048576);
  EXPECT_EQ(table.rows[0][1], 4);
  EXPECT_EQ(table.rows[0][2], 36.99);
  EXPECT_DOUBLE_EQ(table.rows[0][3].get<double>(), 38.49);
  EXPECT_EQ(table.rows[0][4], 39.99);
  EXPECT_EQ(table.rows[0][5], 19.67);
  EXPECT_EQ(outcome_of("2024_baseline_16_ranks").tables.size(), 1U);
}

TEST(Measurements, TheTimeOfALargeMessageIsNoLatency) {
  for (const Metric& metric : outcome_of("single_size_chart").metrics) {
    EXPECT_EQ(metric.headline, metric.name == "busbw") << metric.name;
  }
}

TEST(Measurements, WhatTellsRowsApartIsALabel) {
  const auto roots = metrics_named(outcome_of("gather_root_all", "gather"), "busbw", "1048576", "out");
  ASSERT_EQ(roots.size(), 4U);
  EXPECT_EQ(roots[3].labels.at("root"), "3");
  EXPECT_EQ(roots[3].value, 19.67);
  const auto types = metrics_named(outcome_of("all_types_all_ops"), "busbw", "1048576", "out");
  ASSERT_EQ(types.size(), 12U);
  EXPECT_EQ(types[0].labels.at("type"), "bfloat16");
  EXPECT_EQ(types[0].labels.at("redop"), "avg");
}

TEST(Measurements, CpuTimeIsAnotherQuantity) {
  const Outcome outcome = outcome_of("cputime_header");
  EXPECT_EQ(metrics_named(outcome, "time", "1048576", "out").size(), 0U);
  EXPECT_EQ(metrics_named(outcome, "cpu_time", "1048576", "out").size(), 1U);
}

TEST(Measurements, MessagesOfNoBytesAreNoMetric) {
  const Outcome outcome = outcome_of("2021_alltoall_blank_redop");
  EXPECT_EQ(outcome.tables[0].rows.size(), 6U);
  EXPECT_EQ(metrics_named(outcome, "time", "0", "out").size(), 0U);
  EXPECT_EQ(metrics_named(outcome, "time", "16", "out").size(), 1U);
}

}  // namespace
}  // namespace cloudai::nccl_test
