#include "result/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "result/plot_axis.h"
#include "result/xml_text.h"

namespace plumb::result {
namespace {

constexpr double kWidth = 600;  // of the area between the axes
constexpr double kHeight = 380;
constexpr double kFont = 13;
constexpr double kLetter = 0.58 * kFont;  // the width of most, on average
constexpr double kLine = 1.35 * kFont;
constexpr double kLegendLine = 19;
constexpr std::size_t kLongestLegend = 48;  // letters of an entry
constexpr std::size_t kMostEntries = 80;

// Okabe and Ito's colours, which people with any kind of colour vision tell apart, without the yellow that white
// swallows; every curve has a mark of its own shape as well.
constexpr std::array<std::string_view, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                      "#000000", "#e69f00", "#56b4e9"};
constexpr std::array<std::string_view, 8> kMarks = {
    "M-3.5 0A3.5 3.5 0 1 1 3.5 0A3.5 3.5 0 1 1 -3.5 0Z",
    "M-3.2 -3.2H3.2V3.2H-3.2Z",
    "M0 -4.2L4 3H-4Z",
    "M0 -4.6L4 0L0 4.6L-4 0Z",
    "M0 4.2L4 -3H-4Z",
    "M-3.4 -3.4L3.4 3.4M-3.4 3.4L3.4 -3.4",
    "M-4 0H4M0 -4V4",
    "M-3.4 -3.4H3.4L-3.4 3.4H3.4Z",
};
constexpr std::array<std::string_view, 4> kDashes = {"", "7 3", "2 3", "8 3 2 3"};

struct Look {
  std::string_view colour;
  std::string_view mark;
  std::string_view dash;
};
Look look_of(std::size_t i) {
  return {kColours[i % kColours.size()], kMarks[i % kMarks.size()], kDashes[i / kMarks.size() % kDashes.size()]};
}

bool begins_letter(char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; }

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_letter));
}

/// At most so many letters, the last an ellipsis if some are left out.
std::string shortened(std::string_view text, std::size_t most) {
  if (letters(text) <= most) return std::string(text);
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end)
    if (begins_letter(text[end]) && ++seen == most) break;
  return std::string(text.substr(0, end)) + "…";
}

/// Broken at spaces into lines of at most so many letters; what does not fit the lines is left out.
std::vector<std::string> wrapped(std::string_view text, std::size_t letters_of_line, std::size_t most_lines) {
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() + 1 < most_lines && letters(text) > letters_of_line) {
    std::size_t cut = 0;
    for (std::size_t i = 0; i < text.size() && letters(text.substr(0, i)) <= letters_of_line; ++i)
      if (text[i] == ' ') cut = i;
    if (cut == 0) break;
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(cut + 1);
  }
  if (!text.empty()) lines.push_back(shortened(text, letters_of_line));
  return lines;
}

/// The longest label of an axis, in pixels.
double label_width(const Axis& axis) {
  std::size_t most = 0;
  for (const Tick& tick : axis.ticks()) most = std::max(most, tick.label.size());
  return static_cast<double>(most) * kLetter;
}

/// With as many marks as there is room for their labels.
Axis horizontal_axis(const std::vector<double>& values, bool is_log) {
  for (std::size_t most = 9; most > 3; --most) {
    Axis axis(values, is_log, most, false);
    const auto marks =
        static_cast<double>(std::ranges::count_if(axis.ticks(), [](const Tick& tick) { return !tick.label.empty(); }));
    if (marks * (label_width(axis) + 16) <= kWidth) return axis;
  }
  return Axis(values, is_log, 3, false);
}

std::vector<double> all_of(const Plot& plot, bool want_x) {
  std::vector<double> values;
  for (const Series& series : plot.series) {
    if (want_x) {
      values.insert(values.end(), series.x.begin(), series.x.end());
      continue;
    }
    values.insert(values.end(), series.y.begin(), series.y.end());
    values.insert(values.end(), series.low.begin(), series.low.end());
    values.insert(values.end(), series.high.begin(), series.high.end());
  }
  return values;
}

/// Draws one plot. Coordinates are pixels from the upper left corner of the area between the axes.
class Drawing {
 public:
  explicit Drawing(const Plot& plot)
      : plot_(plot),
        x_(horizontal_axis(all_of(plot, true), plot.is_log_x)),
        y_(all_of(plot, false), plot.is_log_y, 7, true) {}

  std::string run() {
    draw_grid();
    for (std::size_t i = 0; i < plot_.series.size(); ++i) draw_series(plot_.series[i], look_of(i));
    put("<rect x=\"0\" y=\"0\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#333\"/>\n", kWidth, kHeight);
    draw_legend();
    draw_titles();
    if (!has_point_) put_text(kWidth / 2, kHeight / 2, "middle", "no point to show");
    return document();
  }

 private:
  struct Point {
    double x;
    double y;
  };

  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(body_), format, std::forward<Args>(args)...);
  }
  void put_text(double x, double y, std::string_view anchor, std::string_view text, std::string_view extra = "") {
    put("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, extra, xml_text(text));
  }

  void draw_grid();
  void draw_series(const Series& series, const Look& look);
  void draw_error_bar(const Series& series, std::size_t i, double x, const Look& look);
  void draw_line(const std::vector<Point>& points, const Look& look);
  void draw_mark(Point at, const Look& look);
  void draw_legend();
  void draw_titles();
  std::string document() const;
  std::optional<Point> place(const Series& series, std::size_t i) const;

  const Plot& plot_;
  Axis x_;
  Axis y_;
  std::string body_;
  bool has_point_ = false;
  double left_ = 0;
  double right_ = 20;
  double top_ = 20;
  double bottom_ = 0;
};

void Drawing::draw_grid() {
  for (const Tick& tick : x_.ticks()) {
    const double x = x_.position(tick.value).value_or(0) * kWidth;
    put("<path d=\"M{0:.2f} 0V{1:.2f}\" stroke=\"{2}\"/>\n", x, kHeight, tick.label.empty() ? "#f0f0f0" : "#d8d8d8");
    if (!tick.label.empty()) put_text(x, kHeight + kLine + 2, "middle", tick.label);
  }
  for (const Tick& tick : y_.ticks()) {
    const double y = (1 - y_.position(tick.value).value_or(0)) * kHeight;
    put("<path d=\"M0 {0:.2f}H{1:.2f}\" stroke=\"{2}\"/>\n", y, kWidth, tick.label.empty() ? "#f0f0f0" : "#d8d8d8");
    if (!tick.label.empty()) put_text(-7, y + 0.35 * kFont, "end", tick.label);
  }
  left_ = label_width(y_) + 14;
  bottom_ = kLine + 10;
}

std::optional<Drawing::Point> Drawing::place(const Series& series, std::size_t i) const {
  if (i >= series.y.size()) return std::nullopt;
  const std::optional<double> x = x_.position(series.x[i]);
  const std::optional<double> y = y_.position(series.y[i]);
  if (!x || !y) return std::nullopt;
  return Point{*x * kWidth, (1 - *y) * kHeight};
}

void Drawing::draw_line(const std::vector<Point>& points, const Look& look) {
  if (points.size() < 2) return;
  put("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{} points=\"", look.colour,
      look.dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", look.dash));
  for (const Point& point : points) put("{:.2f},{:.2f} ", point.x, point.y);
  put("\"/>\n");
}

void Drawing::draw_mark(Point at, const Look& look) {
  put("<path class=\"mark\" transform=\"translate({0:.2f} {1:.2f})\" d=\"{2}\" fill=\"{3}\" fill-opacity=\"0.8\" "
      "stroke=\"{3}\" stroke-width=\"1.2\"/>\n",
      at.x, at.y, look.mark, look.colour);
}

void Drawing::draw_error_bar(const Series& series, std::size_t i, double x, const Look& look) {
  if (i >= series.low.size() || i >= series.high.size()) return;
  if (std::isnan(series.low[i]) || std::isnan(series.high[i]) || series.low[i] >= series.high[i]) return;
  // An end that has no place on the axis is beyond the edge.
  const double low = std::clamp(1 - y_.position(series.low[i]).value_or(0), 0.0, 1.0) * kHeight;
  const double high = std::clamp(1 - y_.position(series.high[i]).value_or(1), 0.0, 1.0) * kHeight;
  constexpr double kVisible = 1;
  if (low - high < kVisible) return;
  put("<path class=\"error\" d=\"M{0:.2f} {1:.2f}V{2:.2f}M{3:.2f} {1:.2f}h8M{3:.2f} {2:.2f}h8\" fill=\"none\" "
      "stroke=\"{4}\"/>\n",
      x, low, high, x - 4, look.colour);
}

void Drawing::draw_series(const Series& series, const Look& look) {
  constexpr std::size_t kMostMarks = 40;  // more would hide the curve
  const std::size_t count = std::min(series.x.size(), series.y.size());
  const std::size_t every = count <= kMostMarks ? 1 : count / 16;
  std::vector<Point> line;
  std::vector<Point> marks;
  for (std::size_t i = 0; i < count; ++i) {
    if (const std::optional<Point> point = place(series, i)) {
      line.push_back(*point);
      draw_error_bar(series, i, point->x, look);
      const bool is_alone = line.size() == 1 && !place(series, i + 1 < count ? i + 1 : count);
      if (i % every == 0 || is_alone) marks.push_back(*point);
    } else {
      draw_line(line, look);
      line.clear();
    }
  }
  draw_line(line, look);
  for (const Point& mark : marks) draw_mark(mark, look);
  has_point_ |= !marks.empty();
}

void Drawing::draw_legend() {
  if (plot_.series.empty() || (plot_.series.size() == 1 && plot_.series[0].name.empty())) return;
  constexpr auto kEntriesOfColumn = static_cast<std::size_t>(kHeight / kLegendLine);
  const std::size_t shown = std::min(plot_.series.size(), kMostEntries);
  double x = kWidth + 16;
  for (std::size_t first = 0; first < shown; first += kEntriesOfColumn) {
    std::size_t longest = 0;
    for (std::size_t i = first; i < std::min(shown, first + kEntriesOfColumn); ++i) {
      const double y = static_cast<double>(i - first) * kLegendLine + 8;
      const bool is_rest = i + 1 == kMostEntries && i + 1 < plot_.series.size();
      const std::string text = is_rest ? fmt::format("… and {} more", plot_.series.size() - i)
                                       : shortened(plot_.series[i].name, kLongestLegend);
      if (!is_rest) {
        draw_line({{x, y}, {x + 26, y}}, look_of(i));
        draw_mark({x + 13, y}, look_of(i));
      }
      put_text(x + 33, y + 0.35 * kFont, "start", text);
      longest = std::max(longest, letters(text));
    }
    x += 33 + static_cast<double>(longest) * kLetter + 16;
  }
  right_ = std::max(right_, x - kWidth);
}

void Drawing::draw_titles() {
  const auto fitting = [](double width) { return static_cast<std::size_t>(width / kLetter); };
  const std::vector<std::string> title = wrapped(plot_.title, fitting(kWidth * 0.92), 3);
  for (std::size_t i = 0; i < title.size(); ++i)
    put_text(kWidth / 2, -12 - static_cast<double>(title.size() - 1 - i) * kLine, "middle", title[i],
             " font-weight=\"bold\"");
  top_ = 20 + static_cast<double>(title.size()) * kLine;
  for (const std::string& line : wrapped(plot_.x_label, fitting(kWidth), 2)) {
    put_text(kWidth / 2, kHeight + bottom_ + kFont, "middle", line);
    bottom_ += kLine;
  }
  std::vector<std::string> lines = wrapped(plot_.y_label, fitting(kHeight), 2);
  std::ranges::reverse(lines);  // the last is next to the axis
  for (const std::string& line : lines) {
    put_text(-left_, kHeight / 2, "middle", line,
             fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", -left_, kHeight / 2));
    left_ += kLine;
  }
  left_ += 8;
  bottom_ += 12;
}

std::string Drawing::document() const {
  const double width = left_ + kWidth + right_;
  const double height = top_ + kHeight + bottom_;
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"{2}\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<g transform=\"translate({3:.2f} "
      "{4:.2f})\">\n{5}</g>\n</svg>\n",
      width, height, kFont, left_, top_, body_);
}

std::string to_png(const std::string& svg, const Budget& budget) {
  constexpr std::string_view kConverter = "rsvg-convert";
  if (!find_program(kConverter))
    throw UserError(fmt::format("{} is not installed, which makes PNG of SVG", kConverter),
                    "install it (Debian: librsvg2-bin), or write an .svg");
  const ProcessResult result =
      run_process({std::string(kConverter), "--format=png", "--zoom=2", "--background-color=white"}, svg, budget);
  budget.check();
  if (result.end != ProcessResult::End::Exited || result.code != 0 || result.output.empty())
    throw UserError(fmt::format("{} failed: {}", kConverter, result.error.empty() ? "no output" : result.error));
  return result.output;
}

}  // namespace

std::string to_svg(const Plot& plot) { return Drawing(plot).run(); }

void write_plot(const Plot& plot, const std::filesystem::path& path, const Budget& budget) {
  const std::string suffix = path.extension().string();
  if (suffix != ".svg" && suffix != ".png")
    throw UserError(fmt::format("a plot is written as .svg or .png, not as '{}'", path.string()));
  const std::string svg = to_svg(plot);
  write_file(path, suffix == ".svg" ? svg : to_png(svg, budget));
}

}  // namespace plumb::result
