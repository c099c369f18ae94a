#include "term/progression.h"

#include <algorithm>
#include <numeric>

namespace plumb::term {

namespace {

constexpr std::int64_t kGreatest = std::int64_t{1} << 62;
/// The stride of what is known exactly, once its bounds are forgotten: no object is larger.
constexpr std::uint64_t kCoarsest = std::uint64_t{1} << 32;

using Wide = __int128;

bool is_small(Wide value) { return -kGreatest <= value && value <= kGreatest; }

std::uint64_t power_of_two_in(std::uint64_t stride) {
  return stride == 0 ? kCoarsest : std::min(stride & (~stride + 1), kCoarsest);
}

/// In [0, stride).
std::int64_t residue(std::int64_t value, std::uint64_t stride) {
  const auto s = static_cast<std::int64_t>(stride);
  return (value % s + s) % s;
}

std::uint64_t distance(std::int64_t a, std::int64_t b) {
  return a < b ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
               : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}

}  // namespace

Progression Progression::between(std::int64_t first, std::int64_t last, std::uint64_t stride) {
  if (last < first) return {};
  if (!is_small(first) || !is_small(last)) return Progression(first, last, stride).loosened();
  if (stride > 0) last = first + static_cast<std::int64_t>(distance(first, last) / stride * stride);
  return {first, last, first == last ? 0 : stride};
}

Progression Progression::loosened() const {
  if (is_empty_ || !is_bounded_) return *this;
  const std::uint64_t stride = power_of_two_in(stride_);
  return {residue(first_, stride), stride};
}

Progression Progression::joined(const Progression& other) const {
  if (is_empty_) return other;
  if (other.is_empty_ || *this == other) return *this;
  const std::uint64_t stride = std::gcd(std::gcd(stride_, other.stride_), distance(first_, other.first_));
  if (is_bounded_ && other.is_bounded_)
    return between(std::min(first_, other.first_), std::max(last_, other.last_), stride);
  const std::uint64_t power = power_of_two_in(stride);
  return {residue(first_, power), power};
}

Progression Progression::sum(const Progression& other) const {
  if (is_empty_ || other.is_empty_) return {};
  const std::uint64_t stride = std::gcd(stride_, other.stride_);
  const Wide first = Wide{first_} + other.first_;
  const Wide last = Wide{last_} + other.last_;
  if (is_bounded_ && other.is_bounded_ && is_small(first) && is_small(last))
    return between(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last), stride);
  const std::uint64_t power = power_of_two_in(stride);
  return {residue(residue(first_, power) + residue(other.first_, power), power), power};
}

Progression Progression::negated() const {
  if (is_empty_) return {};
  if (is_bounded_) return {-last_, -first_, stride_};
  return {residue(-first_, stride_), stride_};
}

Progression Progression::scaled(std::int64_t factor) const {
  if (is_empty_) return {};
  if (factor == 0) return exactly(0);
  if (factor < 0) return factor == INT64_MIN ? any() : scaled(-factor).negated();
  const Wide first = Wide{first_} * factor;
  const Wide last = Wide{last_} * factor;
  const Wide stride = Wide{stride_} * factor;
  if (is_bounded_ && is_small(first) && is_small(last))
    return {static_cast<std::int64_t>(first), static_cast<std::int64_t>(last), static_cast<std::uint64_t>(stride)};
  const std::uint64_t power =
      power_of_two_in(stride > Wide{kGreatest} ? power_of_two_in(stride_) : static_cast<std::uint64_t>(stride));
  const Wide rest = Wide{residue(first_, power)} * residue(factor, power);
  return {static_cast<std::int64_t>(rest % Wide{power}), power};
}

Progression Progression::below(std::uint64_t count) const {
  if (is_empty_ || count == 0) return {};
  const auto last = static_cast<std::int64_t>(std::min(count, static_cast<std::uint64_t>(kGreatest)) - 1);
  if (!is_bounded_) return between(first_, last, stride_);
  if (is_exact()) return first_ >= 0 && first_ <= last ? *this : Progression();
  const std::int64_t first = first_ >= 0 ? first_ : residue(first_, stride_);
  return between(first, std::min(last, last_), stride_);
}

Progression Progression::fitted(std::uint32_t width) const {
  if (is_empty_ || !is_bounded_ || width > 62) return *this;
  const std::int64_t half = std::int64_t{1} << (width - 1);
  if (-half <= first_ && last_ < half) return *this;
  Progression loose = loosened();
  // Only what divides 2^width survives the wrap.
  const std::uint64_t most = std::uint64_t{1} << width;
  if (loose.stride_ > most) loose = Progression(residue(loose.first_, most), most);
  return loose;
}

Progression Progression::sign_extended(std::uint32_t width) const {
  if (is_empty_ || is_bounded_ || width > 62) return *this;
  const std::int64_t half = std::int64_t{1} << (width - 1);
  const std::uint64_t stride = std::min(stride_, std::uint64_t{1} << width);
  const std::int64_t first = -half + residue(first_ + half, stride);
  return between(first, half - 1, stride);
}

Progression Progression::zero_extended(std::uint32_t width) const {
  if (is_empty_ || width > 62 || (is_bounded_ && first_ >= 0)) return *this;
  const auto size = std::uint64_t{1} << width;
  const Progression loose = loosened();
  const std::uint64_t stride = std::min(loose.stride_, size);
  return between(residue(loose.first_, stride), static_cast<std::int64_t>(size - 1), stride);
}

}  // namespace plumb::term
