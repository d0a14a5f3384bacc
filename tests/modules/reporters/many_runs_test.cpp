// Ten thousand runs of 168 metrics each stay far below 200 MB.
#include <gtest/gtest.h>

#include <iostream>

#include "modules/reporters/csv/csv_report.hpp"
#include "modules/reporters/html/html_report.hpp"
#include "modules/reporters/junit/junit_report.hpp"
#include "modules/reporters/markdown/markdown_report.hpp"
#include "tests/modules/reporters/support/child_process.hpp"
#include "tests/modules/reporters/support/sample_results.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai {
namespace {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEMORY_IS_NOT_COUNTED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define MEMORY_IS_NOT_COUNTED
#endif

// Unoptimised code reads JSON some twenty times slower, and the address sanitizer keeps freed memory: those get fewer
// runs.
#if defined(__OPTIMIZE__) && !defined(MEMORY_IS_NOT_COUNTED)
constexpr std::size_t runs = 10000;
#else
constexpr std::size_t runs = 20;
#endif

constexpr std::size_t stages = 3;
constexpr std::size_t metrics_of_a_stage = 56;
[[maybe_unused]] constexpr long most_kib = 100 * 1024;

void expect_frugal(const char* reporter, const testing::ChildEnd& end) {
  EXPECT_TRUE(end.good);
#if !defined(MEMORY_IS_NOT_COUNTED)
  EXPECT_LT(end.peak_kib, most_kib) << reporter;
#endif
  ::testing::Test::RecordProperty(std::string(reporter) + "_peak_kib", std::to_string(end.peak_kib));
  std::cout << reporter << ": " << runs << " runs, peak " << end.peak_kib << " KiB, " << end.cpu_seconds
            << " s of CPU\n";
}

TEST(ManyRuns, NeedLittleMemory) {
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(testing::in_child([&] { samples::write_many(directory.path(), runs, metrics_of_a_stage); }).good);
  expect_frugal("html", testing::in_child([&] { html::write_report(directory.path(), directory.path()); }));
  expect_frugal("csv", testing::in_child([&] {
                  csv::write_report(directory.path(), directory.path(), [](const std::string&) { ::_exit(2); });
                }));
  expect_frugal("junit", testing::in_child([&] { junit::write_report(directory.path(), directory.path()); }));
  expect_frugal("markdown", testing::in_child([&] { markdown::write_report(directory.path(), directory.path()); }));
  EXPECT_GT(std::filesystem::file_size(directory.path() / "many-metrics.csv"), runs * stages * metrics_of_a_stage * 60);
  EXPECT_GT(std::filesystem::file_size(directory.path() / "many.html"), runs * 1000);
}

}  // namespace
}  // namespace cloudai
