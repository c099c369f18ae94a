#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/budget.h"

namespace plumb::result {

/// A curve. Points that are not finite are left out and break the line.
struct Series {
  std::string name;  ///< in the legend
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> low;  ///< ends of error bars; empty: none
  std::vector<double> high;
};

/// Curves over one axis, with axes, grid and legend.
struct Plot {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool is_log_x = false;
  bool is_log_y = false;
  std::vector<Series> series;
};

std::string to_svg(const Plot& plot);

/// Writes a picture of the kind that the path ends in: .svg, or .png by way of rsvg-convert. Written aside and renamed.
/// Throws UserError: another ending, a program that is missing (with how to get it) or fails.
void write_plot(const Plot& plot, const std::filesystem::path& path, const Budget& budget);

}  // namespace plumb::result
