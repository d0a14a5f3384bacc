#include "modules/reporters/html/chart.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <pugixml.hpp>

#include "modules/reporters/html/axis.hpp"

namespace cloudai::html {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> result;
  for (const Tick& tick : axis.ticks) result.push_back(tick.label);
  return result;
}

TEST(Axis, HasTicksOfBytesAtPowersOfTwo) {
  const Axis axis = make_axis(Scale::log, 8, 8589934592.0, true, false);
  EXPECT_THAT(labels(axis), ElementsAre("8 B", "256 B", "8 KiB", "256 KiB", "8 MiB", "256 MiB", "8 GiB"));
  EXPECT_DOUBLE_EQ(axis.position(8), 0);
  EXPECT_DOUBLE_EQ(axis.position(8589934592.0), 1);
  EXPECT_DOUBLE_EQ(axis.position(262144), 0.5);
}

TEST(Axis, StartsAtZeroAndEndsAboveWhatItHolds) {
  const Axis axis = make_axis(Scale::linear, 0.2, 187, false, true);
  EXPECT_THAT(labels(axis), ElementsAre("0", "50", "100", "150", "200"));
  EXPECT_EQ(axis.high, 200);
}

TEST(Axis, GoesBelowZeroWhereValuesDo) {
  EXPECT_THAT(labels(make_axis(Scale::linear, -3, 3, false, true)), ElementsAre("-3", "-2", "-1", "0", "1", "2", "3"));
}

TEST(Axis, EndsAtWholePowersWhereItIsLogarithmic) {
  EXPECT_THAT(labels(make_axis(Scale::log, 14, 47000, false, true)),
              ElementsAre("10", "100", "1000", "10000", "100000"));
}

TEST(Axis, HoldsASingleValue) {
  for (const Scale scale : {Scale::linear, Scale::log}) {
    for (const bool round_ends : {true, false}) {
      for (const double value : {1.0, 8.0, 4096.0, 1e15, 1e-9}) {
        const Axis axis = make_axis(scale, value, value, false, round_ends);
        EXPECT_GE(axis.position(value), 0);
        EXPECT_LE(axis.position(value), 1);
        EXPECT_GE(axis.ticks.size(), 2U);
      }
    }
  }
  const Axis zero = make_axis(Scale::linear, 0, 0, false, true);
  EXPECT_EQ(zero.position(0), 0);
}

TEST(Axis, NeverHasManyTicks) {
  for (double high = 1e-12; high < 1e15; high *= 7) {
    for (const bool in_bytes : {true, false}) {
      EXPECT_LE(make_axis(Scale::linear, 0, high, in_bytes, true).ticks.size(), 10U) << high;
      EXPECT_LE(make_axis(Scale::log, 1e-12, high, in_bytes, true).ticks.size(), 10U) << high;
    }
  }
}

class ChartTest : public ::testing::Test {
 protected:
  static Table table(std::vector<std::vector<Json>> rows) {
    return {"t", {{"Size", "B", ColumnType::integer}, {"Busbw", "GB/s", ColumnType::number}}, std::move(rows)};
  }
  static Plot plot() { return {"Bus bandwidth", "t", "Size", {"Busbw"}, Scale::log, Scale::linear}; }

  // The drawing, read back as XML.
  static pugi::xml_document drawing(const std::vector<std::vector<Json>>& rows, const Plot& plot) {
    const ChartResult result = make_chart(plot, {table(rows)});
    EXPECT_TRUE(result.chart.has_value()) << result.problem;
    pugi::xml_document document;
    if (!result.chart) return document;
    const std::string svg = draw(*result.chart);
    EXPECT_TRUE(document.load_string(svg.c_str())) << svg;
    EXPECT_THAT(svg, ::testing::Not(::testing::HasSubstr("nan")));
    EXPECT_THAT(svg, ::testing::Not(::testing::HasSubstr("inf")));
    return document;
  }
};

TEST_F(ChartTest, DrawsALineThroughItsPoints) {
  const auto svg = drawing({{8, 1.0}, {1024, 2.0}, {131072, 4.0}}, plot());
  EXPECT_STREQ(svg.select_node("//polyline/@points").attribute().value(), "66.0,209.5 297.0,149.0 528.0,28.0");
  EXPECT_THAT(svg.select_nodes("//path"), SizeIs(3));
  EXPECT_STREQ(svg.select_node("//path[2]/title").node().text().get(), "Busbw: 2 GB/s at 1 KiB");
  EXPECT_STREQ(svg.select_node("/svg/@aria-label").attribute().value(), "Bus bandwidth");
  EXPECT_TRUE(svg.select_node("//text[.='GB/s']"));
  EXPECT_TRUE(svg.select_node("//text[.='128 KiB']"));
}

TEST_F(ChartTest, TakesAUnitFromTheColumnsName) {
  const Table table{"t",
                    {{"Size (B)", "", ColumnType::integer},
                     {"Busbw (GB/s) Out-of-place", "", ColumnType::number},
                     {"Busbw (GB/s) In-place", "", ColumnType::number}},
                    {{8, 0.1, 0.2}, {1048576, 0.4, 0.5}}};
  const ChartResult result = make_chart(
      {"Bus bandwidth", "t", "Size (B)", {table.columns[1].name, table.columns[2].name}, Scale::log, Scale::linear},
      {table});
  ASSERT_TRUE(result.chart.has_value()) << result.problem;
  const std::string svg = draw(*result.chart);
  EXPECT_THAT(svg, ::testing::HasSubstr(">GB/s</text>"));
  EXPECT_THAT(svg, ::testing::HasSubstr(">Size</text>"));
  EXPECT_THAT(svg, ::testing::HasSubstr(">256 KiB</text>"));
}

TEST_F(ChartTest, DrawsOnePoint) {
  EXPECT_THAT(drawing({{4096, 2.5}}, plot()).select_nodes("//path"), SizeIs(1));
}

TEST_F(ChartTest, DrawsRepeatedMeasurementsWithoutALine) {
  const auto svg = drawing({{8, 1.0}, {16, 2.0}, {8, 1.1}, {16, 2.1}}, plot());
  EXPECT_THAT(svg.select_nodes("//path"), SizeIs(4));
  EXPECT_THAT(svg.select_nodes("//polyline"), SizeIs(0));
}

TEST_F(ChartTest, LeavesGapsForWhatIsNoNumber) {
  const auto svg = drawing({{8, 1.0}, {16, nullptr}, {32, "N/A"}, {64}, {128, 2.0}}, plot());
  EXPECT_THAT(svg.select_nodes("//path"), SizeIs(2));
}

TEST_F(ChartTest, CountsWhatItsAxesCannotShow) {
  const ChartResult result = make_chart(plot(), {table({{0, 1.0}, {8, 1.0}, {16, 1e301}})});
  ASSERT_TRUE(result.chart.has_value());
  EXPECT_EQ(result.chart->left_out, 2U);
  EXPECT_THAT(result.chart->series.at(0).points, SizeIs(1));
}

TEST_F(ChartTest, IsBoundedHoweverLongTheTableIs) {
  std::vector<std::vector<Json>> rows;
  for (int i = 1; i <= 100000; ++i) rows.push_back({i, i});
  const ChartResult result = make_chart(plot(), {table(rows)});
  ASSERT_TRUE(result.chart.has_value());
  EXPECT_LE(result.chart->series.at(0).points.size(), 1001U);
  EXPECT_EQ(result.chart->series.at(0).points.back().x, 100000);
}

TEST_F(ChartTest, SaysWhyThereIsNothingToDraw) {
  EXPECT_EQ(make_chart(plot(), {}).problem, "The outcome has no table 't'.");
  Plot wrong = plot();
  wrong.x = "size";
  EXPECT_EQ(make_chart(wrong, {table({})}).problem, "The table 't' has no column 'size'.");
  wrong = plot();
  wrong.y = {"busbw"};
  EXPECT_EQ(make_chart(wrong, {table({})}).problem, "The table 't' has no column 'busbw'.");
  EXPECT_EQ(make_chart(plot(), {table({})}).problem, "There is no measurement to draw.");
  EXPECT_EQ(make_chart(plot(), {table({{8, std::nan("")}})}).problem, "There is no measurement to draw.");
}

}  // namespace
}  // namespace cloudai::html
