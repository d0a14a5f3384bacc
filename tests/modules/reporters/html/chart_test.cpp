#include "modules/reporters/html/chart.hpp"

#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "modules/reporters/html/axis.hpp"
#include "modules/reporters/html/plot_chart.hpp"

namespace cloudai::html {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> result;
  for (const Tick& tick : axis.ticks) result.push_back(tick.label);
  return result;
}

TEST(Axis, HasTicksOfBytesAtPowersOfTwo) {
  const Axis axis = make_axis(AxisScale::log2, 8, 8589934592.0, true, false);
  EXPECT_THAT(labels(axis), ElementsAre("8 B", "256 B", "8 KiB", "256 KiB", "8 MiB", "256 MiB", "8 GiB"));
  EXPECT_DOUBLE_EQ(axis.position(8), 0);
  EXPECT_DOUBLE_EQ(axis.position(8589934592.0), 1);
  EXPECT_DOUBLE_EQ(axis.position(262144), 0.5);
}

TEST(Axis, StartsAtZeroAndEndsAboveWhatItHolds) {
  const Axis axis = make_axis(AxisScale::linear, 0.2, 187, false, true);
  EXPECT_THAT(labels(axis), ElementsAre("0", "50", "100", "150", "200"));
  EXPECT_EQ(axis.high, 200);
}

TEST(Axis, GoesBelowZeroWhereValuesDo) {
  EXPECT_THAT(labels(make_axis(AxisScale::linear, -3, 3, false, true)),
              ElementsAre("-3", "-2", "-1", "0", "1", "2", "3"));
}

TEST(Axis, EndsAtWholePowersWhereItIsLogarithmic) {
  EXPECT_THAT(labels(make_axis(AxisScale::log10, 14, 47000, false, true)), ElementsAre("10", "100", "1000", "10000"));
}

TEST(Axis, HasTicksWithinDecadesWherePowersWouldBeFew) {
  EXPECT_THAT(labels(make_axis(AxisScale::log10, 14.2, 31, false, true)), ElementsAre("10", "20", "30", "40", "50"));
  EXPECT_THAT(labels(make_axis(AxisScale::log10, 11, 17, false, true)),
              ElementsAre("10", "12", "14", "16", "18", "20"));
  EXPECT_THAT(labels(make_axis(AxisScale::log10, 3, 140, false, true)),
              ElementsAre("2", "5", "10", "20", "50", "100", "200"));
}

TEST(Axis, CountsInPowersOfTwoWithoutBytesToo) {
  EXPECT_THAT(labels(make_axis(AxisScale::log2, 1, 16, false, true)), ElementsAre("1", "2", "4", "8", "16"));
}

TEST(Axis, HoldsASingleValue) {
  for (const AxisScale scale : {AxisScale::linear, AxisScale::log2, AxisScale::log10}) {
    for (const bool round_ends : {true, false}) {
      for (const double value : {1.0, 8.0, 4096.0, 1e15, 1e-9}) {
        const Axis axis = make_axis(scale, value, value, false, round_ends);
        EXPECT_GE(axis.position(value), 0);
        EXPECT_LE(axis.position(value), 1);
        EXPECT_GE(axis.ticks.size(), 2U);
      }
    }
  }
  const Axis zero = make_axis(AxisScale::linear, 0, 0, false, true);
  EXPECT_EQ(zero.position(0), 0);
}

TEST(Axis, NeverHasManyTicks) {
  for (double high = 1e-12; high < 1e15; high *= 7) {
    for (const bool in_bytes : {true, false}) {
      EXPECT_LE(make_axis(AxisScale::linear, 0, high, in_bytes, true).ticks.size(), 10U) << high;
      for (const AxisScale scale : {AxisScale::log2, AxisScale::log10}) {
        EXPECT_LE(make_axis(scale, 1e-12, high, in_bytes, true).ticks.size(), 10U) << high;
      }
    }
  }
}

class ChartTest : public ::testing::Test {
 protected:
  static Table table(std::vector<std::vector<Json>> rows) {
    return {
        "t",
        {{"Size", "B", ColumnType::integer}, {"Busbw", "GB/s", ColumnType::number}, {"Wrong", "", ColumnType::integer}},
        std::move(rows)};
  }
  static Plot plot() {
    Plot plot;
    plot.title = "Bus bandwidth";
    plot.table = "t";
    plot.x = "Size";
    plot.y = {"Busbw"};
    plot.x_scale = Scale::log;
    return plot;
  }

  static Chart chart_of(const Plot& plot, const std::vector<std::vector<Json>>& rows) {
    PlotChart gathered(plot);
    EXPECT_EQ(gathered.add({table(rows)}), "");
    return gathered.chart();
  }
  static std::string problem_of(const Plot& plot, const std::vector<Table>& tables) {
    return PlotChart(plot).add(tables);
  }

  // The drawing, read back as XML.
  static pugi::xml_document read_back(const std::string& markup) {
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(markup.c_str())) << markup;
    EXPECT_THAT(markup, Not(HasSubstr("nan")));
    EXPECT_THAT(markup, Not(HasSubstr("inf\"")));
    return document;
  }
  static pugi::xml_document drawing(const std::vector<std::vector<Json>>& rows, const Plot& plot) {
    return read_back(draw(chart_of(plot, rows)));
  }

  static constexpr const char* markers = "//g[starts-with(@class,'series')]/path";
};

TEST_F(ChartTest, DrawsALineThroughItsPoints) {
  const auto svg = drawing({{8, 1.0}, {1024, 2.0}, {131072, 4.0}}, plot());
  EXPECT_STREQ(svg.select_node("//polyline/@points").attribute().value(), "66.0,209.5 297.0,149.0 528.0,28.0");
  EXPECT_THAT(svg.select_nodes(markers), SizeIs(3));
  EXPECT_STREQ(svg.select_node("//path[2]/title").node().text().get(), "Busbw: 2 GB/s at 1 KiB");
  EXPECT_STREQ(svg.select_node("/svg/@aria-label").attribute().value(),
               "Bus bandwidth. Busbw from 1 GB/s at 8 B to 4 GB/s at 128 KiB.");
  EXPECT_TRUE(svg.select_node("//text[.='GB/s']"));
  EXPECT_TRUE(svg.select_node("//text[.='128 KiB']"));
}

TEST_F(ChartTest, TakesAUnitFromTheColumnsName) {
  const Table table{"t",
                    {{"Size (B)", "", ColumnType::integer},
                     {"Busbw (GB/s) Out-of-place", "", ColumnType::number},
                     {"Busbw (GB/s) In-place", "", ColumnType::number}},
                    {{8, 0.1, 0.2}, {1048576, 0.4, 0.5}}};
  Plot both = plot();
  both.x = "Size (B)";
  both.y = {table.columns[1].name, table.columns[2].name};
  both.dashed = {both.y[1]};
  PlotChart gathered(both);
  ASSERT_EQ(gathered.add({table}), "");
  const Chart chart = gathered.chart();
  EXPECT_EQ(chart.x_scale, AxisScale::log2);
  const std::string svg = draw(chart);
  EXPECT_THAT(svg, HasSubstr(">GB/s</text>"));
  EXPECT_THAT(svg, HasSubstr(">Size</text>"));
  EXPECT_THAT(svg, HasSubstr(">256 KiB</text>"));
  EXPECT_THAT(svg, HasSubstr("<g class=\"series series-0\">"));
  EXPECT_THAT(svg, HasSubstr("<g class=\"series series-1 dashed\">"));
}

TEST_F(ChartTest, DrawsOnePoint) {
  const auto svg = drawing({{4096, 2.5}}, plot());
  EXPECT_THAT(svg.select_nodes(markers), SizeIs(1));
  EXPECT_THAT(svg.select_nodes("//polyline"), SizeIs(0));
}

TEST_F(ChartTest, DrawsRepeatedMeasurementsAsMediansInABand) {
  const Chart chart = chart_of(plot(), {{8, 1.0}, {16, 2.0}, {8, 3.0}, {16, 2.5}, {8, 1.5}});
  ASSERT_THAT(chart.series.at(0).points, SizeIs(2));
  EXPECT_EQ(chart.series[0].points[0].y, 1.5);
  EXPECT_EQ(chart.series[0].points[1].y, 2.25);
  EXPECT_EQ(chart.series[0].band.at(0).low, 1);
  EXPECT_EQ(chart.series[0].band.at(0).high, 3);
  const auto svg = read_back(draw(chart));
  EXPECT_THAT(svg.select_nodes(markers), SizeIs(2));
  EXPECT_STREQ(svg.select_node("//polygon/@class").attribute().value(), "band");
  const auto list = read_back(legend(chart));
  EXPECT_STREQ(list.select_node("//li[1]/text()").node().value(), "Busbw, median");
  EXPECT_STREQ(list.select_node("//li[2]/text()").node().value(), "least to most");
}

TEST_F(ChartTest, GathersTheRunsOfATest) {
  PlotChart gathered(plot());
  for (const double value : {3.0, 1.0, 2.0}) EXPECT_EQ(gathered.add({table({{8, value}, {16, 10 * value}})}), "");
  EXPECT_EQ(gathered.add({}), "The outcome has no table 't'.");
  const Chart chart = gathered.chart();
  EXPECT_EQ(chart.series.at(0).points.at(1).y, 20);
  EXPECT_EQ(chart.series[0].band.at(1).high, 30);
  EXPECT_EQ(gathered.values(), 6U);
}

TEST_F(ChartTest, DrawsPointsOutOfOrderWithoutALine) {
  Chart chart = chart_of(plot(), {{16, 1.0}, {8, 2.0}});
  EXPECT_THAT(read_back(draw(chart)).select_nodes("//polyline"), SizeIs(0));
}

TEST_F(ChartTest, DrawsReferenceLinesAndMarksWhatIsBelowAMinimum) {
  Plot limited = plot();
  limited.references = {{"min_busbw", 3, 1024.0, true}, {"speed of light", 8, std::nullopt, false}};
  const Chart chart = chart_of(limited, {{8, 1.0}, {1024, 2.0}, {131072, 4.0}});
  ASSERT_THAT(chart.marks, SizeIs(1));  // at 8 B the minimum says nothing
  EXPECT_EQ(chart.marks[0].text, "2 GB/s at 1 KiB: below min_busbw 3 GB/s");
  const auto svg = read_back(draw(chart));
  EXPECT_THAT(svg.select_nodes("//g[@class='reference']"), SizeIs(2));
  EXPECT_TRUE(svg.select_node("//text[.='speed of light 8 GB/s']"));
  EXPECT_TRUE(svg.select_node("//text[.='8']"));  // the axis reaches the line
  EXPECT_THAT(svg.select_nodes("//g[@class='reference']/path"), SizeIs(1));
  EXPECT_THAT(legend(chart), HasSubstr("min_busbw 3 GB/s at 1 KiB</li>"));
}

TEST_F(ChartTest, ALineOfTwoRunsIsDrawnOnce) {
  Plot limited = plot();
  limited.references = {{"min_busbw", 3, std::nullopt, true}};
  PlotChart gathered(limited);
  gathered.add_references(limited.references);
  gathered.add_references({{"min_busbw", 4, std::nullopt, true}});
  EXPECT_THAT(gathered.chart().reference_lines, SizeIs(2));
}

TEST_F(ChartTest, MarksPointsThatFailed) {
  Plot checked = plot();
  checked.failed = {{"Busbw", "Wrong"}};
  const Chart chart = chart_of(checked, {{8, 1.0, 0}, {1024, 2.0, 12}, {131072, 4.0, nullptr}});
  ASSERT_THAT(chart.marks, SizeIs(1));
  EXPECT_EQ(chart.marks[0].text, "2 GB/s at 1 KiB: Wrong 12");
  EXPECT_THAT(read_back(draw(chart)).select_nodes("//g[@class='marks']/path"), SizeIs(1));
  EXPECT_THAT(draw(chart), HasSubstr("Failed: 1 point."));
}

TEST_F(ChartTest, LeavesOutWhatIsBeyondTheLargestX) {
  Plot small = plot();
  small.x_max = 1024;
  EXPECT_THAT(chart_of(small, {{8, 1.0}, {1024, 2.0}, {1025, 4.0}}).series.at(0).points, SizeIs(2));
}

TEST_F(ChartTest, LeavesGapsForWhatIsNoNumber) {
  const auto svg = drawing({{8, 1.0}, {16, nullptr}, {32, "N/A"}, {64}, {128, 2.0}}, plot());
  EXPECT_THAT(svg.select_nodes(markers), SizeIs(2));
}

TEST_F(ChartTest, CountsWhatItsAxesCannotShow) {
  const Chart chart = chart_of(plot(), {{0, 1.0}, {8, 1.0}, {16, 1e301}});
  EXPECT_EQ(chart.left_out, 2U);
  EXPECT_THAT(chart.series.at(0).points, SizeIs(1));
  EXPECT_THAT(figure(chart, ""), HasSubstr("2 points cannot be shown on these axes."));
}

TEST_F(ChartTest, IsBoundedHoweverLongTheTableIs) {
  std::vector<std::vector<Json>> rows;
  for (int i = 1; i <= 100000; ++i) rows.push_back({i, i});
  const Chart chart = chart_of(plot(), rows);
  EXPECT_LE(chart.series.at(0).points.size(), 1001U);
  EXPECT_EQ(chart.series.at(0).points.back().x, 100000);
}

TEST_F(ChartTest, SaysWhyThereIsNothingToDraw) {
  EXPECT_EQ(problem_of(plot(), {}), "The outcome has no table 't'.");
  Plot wrong = plot();
  wrong.x = "size";
  EXPECT_EQ(problem_of(wrong, {table({})}), "The table 't' has no column 'size'.");
  wrong = plot();
  wrong.y = {"busbw"};
  EXPECT_EQ(problem_of(wrong, {table({})}), "The table 't' has no column 'busbw'.");
  EXPECT_EQ(problem_of(plot(), {table({})}), "There is no measurement to draw.");
  EXPECT_FALSE(has_points(chart_of(plot(), {{0, 1.0}})));
}

TEST_F(ChartTest, ItsNumbersAreSafeInAScript) {
  Plot hostile = plot();
  Table named = table({{8, 1.0}});
  named.columns[1].name = "</script><!-- ' \" & \xE2\x80\xAE\x01 \xE2\x80\xA8";
  hostile.y = {named.columns[1].name};
  hostile.references = {{named.columns[1].name, 1, std::nullopt, false}};
  PlotChart gathered(hostile);
  ASSERT_EQ(gathered.add({named}), "");
  const std::string data = chart_data(gathered.chart());
  for (const char c : data) {
    EXPECT_TRUE(c >= 0x20 && c < 0x7f && c != '<' && c != '>' && c != '&') << static_cast<int>(c);
  }
  const Json read = Json::parse(data);
  EXPECT_EQ(read["series"][0]["name"], "</script><!-- ' \" & \uFFFD\uFFFD \xE2\x80\xA8");
  EXPECT_EQ(read["series"][0]["points"], Json::parse("[[8.0,1.0]]"));
  EXPECT_EQ(read["lines"][0]["y"], 1.0);
}

}  // namespace
}  // namespace cloudai::html
