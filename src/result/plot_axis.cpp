#include "result/plot_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb::result {
namespace {

/// The least of 1, 2 and 5 times a power of ten that is at least `step`.
long double round_step(long double step) {
  const long double power = std::pow(10.0L, std::floor(std::log10(step)));
  for (const long double factor : {1.0L, 2.0L, 5.0L})
    if (factor * power >= step * (1 - 1e-9L)) return factor * power;
  return 10 * power;
}

/// A multiple of `step`, with the digits that tell it from its neighbours: "0.25", "1.5e+09".
std::string label_of(long double value, long double step, long double greatest) {
  if (value == 0) return "0";
  const int last_digit = static_cast<int>(std::floor(std::log10(step) + 1e-9L));
  if (greatest < 1e7L && last_digit >= (greatest < 1e-3L ? -5 : -12))
    return fmt::format("{:.{}f}", value, std::max(0, -last_digit));
  const int first_digit = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9L));
  return fmt::format("{:.{}e}", value, std::clamp(first_digit - last_digit, 0, 16));
}

}  // namespace

Axis::Axis(const std::vector<double>& values, bool is_log, std::size_t most_marks, bool with_room) : is_log_(is_log) {
  bool is_empty = true;
  for (const double value : values) {
    if (!std::isfinite(value) || (is_log && value <= 0)) continue;
    const long double place = is_log ? std::log10(static_cast<long double>(value)) : value;
    low_ = is_empty ? place : std::min(low_, place);
    high_ = is_empty ? place : std::max(high_, place);
    is_empty = false;
  }
  if (is_log)
    make_logarithmic(most_marks, with_room);
  else
    make_linear(most_marks, with_room);
}

std::optional<double> Axis::position(double value) const {
  if (!std::isfinite(value) || (is_log_ && value <= 0)) return std::nullopt;
  const long double place = is_log_ ? std::log10(static_cast<long double>(value)) : value;
  return static_cast<double>((place - low_) / (high_ - low_));
}

bool Axis::contains(long double place) const {
  const long double slack = (high_ - low_) * 1e-6L;
  return place >= low_ - slack && place <= high_ + slack;
}

void Axis::add_tick(long double value, std::string label) {
  ticks_.push_back({static_cast<double>(value), std::move(label)});
}

void Axis::make_linear(std::size_t most_marks, bool with_room) {
  if (high_ - low_ <= 1e-14L * std::max(std::abs(low_), std::abs(high_))) {
    const long double half = low_ == 0 ? 1 : std::abs(low_) / 10;
    low_ -= half;
    high_ += half;
  }
  // Where zero is near, the eye wants it.
  if (with_room && low_ > 0 && low_ < high_ / 4) low_ = 0;
  const long double intervals = static_cast<long double>(std::max<std::size_t>(most_marks, 3) - 1);
  long double step = round_step((high_ - low_) / intervals);
  if (!with_room) {
    // What lies at the ends does not hide the frame.
    const long double margin = (high_ - low_) * 0.02L;
    low_ -= margin;
    high_ += margin;
  } else {
    // Rounding the ends outwards may ask for one mark too many.
    while (std::ceil(high_ / step) - std::floor(low_ / step) > intervals) step = round_step(step * 1.5L);
    low_ = step * std::floor(low_ / step + 1e-9L);
    high_ = step * std::ceil(high_ / step - 1e-9L);
  }
  const long double greatest = std::max(std::abs(low_), std::abs(high_));
  for (long double i = std::ceil(low_ / step - 1e-6L); contains(i * step); ++i)
    add_tick(i * step, label_of(i * step, step, greatest));
}

void Axis::make_logarithmic(std::size_t most_marks, bool with_room) {
  if (with_room || high_ - low_ < 1) {
    low_ = std::floor(low_ + 1e-9L);
    high_ = std::max(std::ceil(high_ - 1e-9L), low_ + 1);
  }
  const long double decades = high_ - low_;
  const long double every = std::ceil(decades / static_cast<long double>(std::max<std::size_t>(most_marks, 2)));
  for (long double power = std::floor(low_); power <= std::ceil(high_); ++power) {
    const bool is_mark = std::fmod(power, every) == 0;
    for (int digit = 1; digit <= 9; ++digit) {
      const long double place = power + std::log10(static_cast<long double>(digit));
      if (!contains(place) || (digit > 1 && (every > 1 || decades > 6))) continue;
      // Less than two decades have few powers of ten: 2 and 5 are marks as well.
      const bool has_label = digit == 1 ? is_mark : decades <= 2 && (digit == 2 || digit == 5);
      const long double value = std::pow(10.0L, place);
      add_tick(value, has_label ? fmt::format("{:.6g}", static_cast<double>(value)) : "");
    }
  }
}

}  // namespace plumb::result
