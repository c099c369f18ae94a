#include "result/plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <regex>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "result/plot_axis.h"

namespace plumb::result {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

Plot plot_of(std::vector<double> x, std::vector<double> y) {
  return {"title", "x", "y", false, false, {{"curve", std::move(x), std::move(y), {}, {}}}};
}

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> result;
  for (const Tick& tick : axis.ticks())
    if (!tick.label.empty()) result.push_back(tick.label);
  return result;
}

/// An element is closed by the last that was opened, texts have no bare signs: enough to catch what would not parse.
bool is_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size(); ++at) {
    if (xml[at] == '&' && !std::regex_search(xml.substr(at, 8), std::regex("^&(amp|lt|gt|quot);"))) return false;
    if (xml[at] == '>') return false;
    if (xml[at] != '<') continue;
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (std::ranges::count(tag, '"') % 2 != 0) return false;
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag.starts_with("/")) {
      if (open.empty() || "/" + open.back() != name) return false;
      open.pop_back();
    } else if (!tag.ends_with("/") && !tag.starts_with("?")) {
      open.push_back(name);
    }
    at = end;
  }
  return open.empty();
}

TEST(PlotAxis, MarksAreRoundNumbersWithTheDigitsThatTheyNeed) {
  EXPECT_EQ(labels(Axis({0, 1}, false, 7, true)), (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(Axis({3, 47}, false, 7, true)), (std::vector<std::string>{"0", "10", "20", "30", "40", "50"}));
  EXPECT_EQ(labels(Axis({-2e9, 3e9}, false, 7, true)),
            (std::vector<std::string>{"-2e+09", "-1e+09", "0", "1e+09", "2e+09", "3e+09"}));
}

TEST(PlotAxis, MarksTellNeighboursApartWhereValuesDifferLate) {
  const std::vector<std::string> near_one = labels(Axis({0.9999991, 0.9999999}, false, 7, true));
  ASSERT_GE(near_one.size(), 3u);
  EXPECT_EQ(std::ranges::adjacent_find(near_one), near_one.end());
}

TEST(PlotAxis, EveryValueLiesBetweenTheEndsWhateverItsSize) {
  const std::vector<std::vector<double>> cases = {{5},
                                                  {0},
                                                  {-3},
                                                  {1e308, -1e308},
                                                  {5e-324, 1e-323},
                                                  {1, 1 + 1e-15},
                                                  {1e-300, 1e300},
                                                  {0.1, 0.2, 0.30000000000000004}};
  for (const std::vector<double>& values : cases)
    for (const bool is_log : {false, true})
      for (const bool with_room : {false, true})
        for (std::size_t most = 2; most < 12; ++most) {
          const Axis axis(values, is_log, most, with_room);
          EXPECT_LE(labels(axis).size(), std::max<std::size_t>(most, 3) + 5);
          for (const double value : values) {
            const std::optional<double> at = axis.position(value);
            ASSERT_EQ(at.has_value(), !is_log || value > 0);
            if (at) {
              EXPECT_GE(*at, -1e-6);
              EXPECT_LE(*at, 1 + 1e-6);
            }
          }
        }
}

TEST(PlotAxis, LogarithmicMarksArePowersOfTen) {
  EXPECT_EQ(labels(Axis({0.001, 1000}, true, 9, true)),
            (std::vector<std::string>{"0.001", "0.01", "0.1", "1", "10", "100", "1000"}));
  EXPECT_EQ(labels(Axis({3, 4}, true, 9, false)), (std::vector<std::string>{"1", "2", "5", "10"}));
  EXPECT_NEAR(*Axis({1, 100}, true, 9, true).position(10), 0.5, 1e-12);
  EXPECT_FALSE(Axis({1, 100}, true, 9, true).position(0));
}

TEST(Plot, CurvesHaveAPolylineMarksAndAnEntryInTheLegend) {
  Plot plot = plot_of({1, 2, 3}, {1, 4, 9});
  plot.series.push_back({"second", {1, 2, 3}, {2, 3, 4}, {}, {}});
  const std::string svg = to_svg(plot);
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count(svg, "<polyline"), 4u);       // two curves, two entries
  EXPECT_EQ(count(svg, "class=\"mark\""), 8u);  // six points, two entries
  EXPECT_EQ(count(svg, ">second</text>"), 1u);
  EXPECT_EQ(count(svg, ">title</text>"), 1u);
}

TEST(Plot, TheFirstFiftySixCurvesLookDifferent) {
  Plot plot;
  for (int i = 0; i < 56; ++i) plot.series.push_back({std::to_string(i), {0}, {static_cast<double>(i)}, {}, {}});
  const std::string svg = to_svg(plot);
  std::vector<std::string> looks;
  const std::regex mark("d=\"([^\"]*)\" fill=\"(#[0-9a-f]*)\" fill-opacity");
  for (std::sregex_iterator it(svg.begin(), svg.end(), mark), end; it != end; ++it)
    looks.push_back((*it)[1].str() + (*it)[2].str());
  ASSERT_EQ(looks.size(), 112u);
  std::ranges::sort(looks);
  looks.erase(std::unique(looks.begin(), looks.end()), looks.end());
  EXPECT_EQ(looks.size(), 56u);
}

TEST(Plot, PointsThatAreNotFiniteBreakTheLine) {
  const std::string whole = to_svg(plot_of({1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}));
  const std::string broken = to_svg(plot_of({1, 2, 3, 4, 5}, {1, 2, kInfinity, 4, 5}));
  EXPECT_EQ(count(broken, "<polyline"), count(whole, "<polyline") + 1);
  EXPECT_EQ(count(broken, "class=\"mark\""), count(whole, "class=\"mark\"") - 1);
  EXPECT_EQ(broken.find("inf"), std::string::npos);
  EXPECT_EQ(to_svg(plot_of({1, 2}, {kNan, kNan})).find("nan"), std::string::npos);
}

TEST(Plot, NothingToShowIsSaid) {
  EXPECT_NE(to_svg(Plot{}).find("no point to show"), std::string::npos);
  EXPECT_NE(to_svg(plot_of({1}, {kInfinity})).find("no point to show"), std::string::npos);
  Plot plot = plot_of({1, 2}, {0, -1});
  plot.is_log_y = true;
  EXPECT_NE(to_svg(plot).find("no point to show"), std::string::npos);
}

TEST(Plot, ErrorBarsAreDrawnWhereTheyCanBeSeen) {
  Plot plot = plot_of({1, 2, 3}, {1, 2, 3});
  plot.series[0].low = {0.5, 2 - 1e-9, 2.5};
  plot.series[0].high = {1.5, 2 + 1e-9, kInfinity};
  EXPECT_EQ(count(to_svg(plot), "class=\"error\""), 2u);
  plot.is_log_y = true;
  plot.series[0].low = {0, 2, 2.5};
  EXPECT_EQ(count(to_svg(plot), "class=\"error\""), 2u);
}

TEST(Plot, TextsOfAnyBytesStayWellFormed) {
  Plot plot = plot_of({1, 2}, {1, 2});
  plot.title = "P<0.5 [ F \"a\" & b>1 ] \x01\xff\xc3 größe";
  plot.x_label = "<script>";
  plot.series[0].name = "a & b";
  const std::string svg = to_svg(plot);
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_NE(svg.find("a &amp; b"), std::string::npos);
  EXPECT_NE(svg.find("größe"), std::string::npos);
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
  EXPECT_EQ(svg.find('\xff'), std::string::npos);
}

TEST(Plot, LongTextsAndManyCurvesGrowThePictureAndNotWithoutEnd) {
  Plot plot = plot_of({1, 2}, {1, 2});
  plot.title = std::string(5000, 'x');
  plot.y_label = "P=? [ " + std::string(300, 'y') + " ]";
  for (int i = 0; i < 1000; ++i)
    plot.series.push_back({std::string(100, 'n') + std::to_string(i), {1, 2}, {0, static_cast<double>(i)}, {}, {}});
  const std::string svg = to_svg(plot);
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_NE(svg.find("and 922 more"), std::string::npos);
  std::smatch size;
  ASSERT_TRUE(std::regex_search(svg, size, std::regex("width=\"([0-9]+)\" height=\"([0-9]+)\"")));
  EXPECT_LT(std::stoi(size[1]), 4000);
  EXPECT_LT(std::stoi(size[2]), 700);
}

TEST(Plot, ManyPointsHaveFewMarks) {
  std::vector<double> x(10'000);
  std::iota(x.begin(), x.end(), 0.0);
  EXPECT_LE(count(to_svg(plot_of(x, x)), "class=\"mark\""), 20u);
}

TEST(Plot, FilesAreOfTheKindThatTheirNameEndsIn) {
  const TemporaryDirectory directory;
  const Plot plot = plot_of({1, 2}, {1, 2});
  write_plot(plot, directory.path() / "a.svg", Budget());
  EXPECT_TRUE(read_file(directory.path() / "a.svg").starts_with("<?xml"));
  EXPECT_THROW(write_plot(plot, directory.path() / "a.pdf", Budget()), UserError);
  EXPECT_THROW(write_plot(plot, directory.path() / "missing" / "a.svg", Budget()), UserError);
  if (!find_program("rsvg-convert")) GTEST_SKIP() << "rsvg-convert is not installed";
  write_plot(plot, directory.path() / "a.png", Budget());
  EXPECT_TRUE(read_file(directory.path() / "a.png").starts_with("\x89PNG"));
}

}  // namespace
}  // namespace plumb::result
