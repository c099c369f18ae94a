#include "paths/literal.h"

#include "base/error.h"

namespace plumb::paths {

Literal operator!(const Literal& a) {
  switch (a.bound) {
    case kLow:
      return {a.cell, kHigh, a.value - 1};
    case kHigh:
      return {a.cell, kLow, a.value + 1};
    case kLeast:
      return {a.cell, kGreatest, a.value - 1};
    default:
      return {a.cell, kLeast, a.value + 1};
  }
}

bool holds_in(const Literal& a, const Range& domain) {
  switch (a.bound) {
    case kLow:
      return domain.low >= a.value;
    case kHigh:
      return domain.high <= a.value;
    case kLeast:
      return domain.least >= a.signed_value();
    default:
      return domain.greatest <= a.signed_value();
  }
}

Range values_of(const Literal& a, std::uint32_t width) {
  const Range all = Range::all(width);
  Range r = all;
  if (a.bound == kLow) r.low = a.value;
  if (a.bound == kHigh) r.high = a.value;
  if (a.bound == kLeast) r.least = a.signed_value();
  if (a.bound == kGreatest) r.greatest = a.signed_value();
  const std::optional<Range> values = common(width, r, all);
  INVARIANT(values.has_value(), "some value should be within a bound");
  return *values;
}

Literal literal_of(Cell c, Bounds bound, const Range& domain) {
  switch (bound) {
    case kLow:
      return {c, bound, domain.low};
    case kHigh:
      return {c, bound, domain.high};
    case kLeast:
      return {c, bound, static_cast<std::uint64_t>(domain.least)};
    default:
      return {c, bound, static_cast<std::uint64_t>(domain.greatest)};
  }
}

Range with_bounds(const Range& root, const Range& domain, Bounds bounds) {
  Range r = root;
  if ((bounds & kLow) != 0) r.low = domain.low;
  if ((bounds & kHigh) != 0) r.high = domain.high;
  if ((bounds & kLeast) != 0) r.least = domain.least;
  if ((bounds & kGreatest) != 0) r.greatest = domain.greatest;
  return r;
}

bool is_within(const Range& r, const Range& needed, Bounds bounds) {
  return ((bounds & kLow) == 0 || needed.low <= r.low) && ((bounds & kHigh) == 0 || r.high <= needed.high) &&
         ((bounds & kLeast) == 0 || needed.least <= r.least) &&
         ((bounds & kGreatest) == 0 || r.greatest <= needed.greatest);
}

}  // namespace plumb::paths
