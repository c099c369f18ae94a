#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plumb::result {

/// A mark of an axis.
struct Tick {
  double value = 0;
  std::string label;  ///< empty: a fine line of the grid, between marks
};

/// Where values lie on an axis: 0 is its beginning, 1 its end. In long double, so that no difference of two doubles
/// overflows.
class Axis {
 public:
  /// Over these values, of which those that are not finite (and on a logarithmic axis those that are not positive) do
  /// not count. Without any the axis goes from 0 to 1, or from 1 to 10. `with_room` begins and ends it at marks, at
  /// most `most_marks` of them.
  Axis(const std::vector<double>& values, bool is_log, std::size_t most_marks, bool with_room);

  /// Nothing for a value that has no place: not finite, or not positive on a logarithmic axis. Others may lie outside
  /// of 0 to 1.
  std::optional<double> position(double value) const;
  const std::vector<Tick>& ticks() const noexcept { return ticks_; }

 private:
  void make_linear(std::size_t most_marks, bool with_room);
  void make_logarithmic(std::size_t most_marks, bool with_room);
  void add_tick(long double value, std::string label);
  bool contains(long double place) const;

  bool is_log_;
  long double low_ = 0;  ///< of a logarithmic axis: exponents of ten
  long double high_ = 1;
  std::vector<Tick> ticks_;
};

}  // namespace plumb::result
