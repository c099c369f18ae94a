#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "chain/analysis.h"
#include "chain/check.h"
#include "chain/state_set.h"

namespace plumb::chain {

/// Where a condition surely holds, and where it may hold (a superset): they differ where a bound is within the error of
/// a number.
struct Truth {
  StateSet yes;
  StateSet possible;

  static Truth of(StateSet set) { return {set, set}; }
  bool is_decided() const { return yes == possible; }
};
Truth operator~(const Truth& a);
Truth operator&(Truth a, const Truth& b);
Truth operator|(Truth a, const Truth& b);

/// A number for each state, with the interval that contains it.
struct Numbers {
  std::vector<double> low;
  std::vector<double> high;  ///< empty: the same as low
  bool is_guaranteed = true;
  std::vector<ExactValue> exact;  ///< by state; empty where they were not computed in fractions

  double low_of(StateId s) const { return low[s]; }
  double high_of(StateId s) const { return high.empty() ? low[s] : high[s]; }
  std::size_t size() const { return low.size(); }
};
using Values = std::variant<Truth, Numbers>;

Numbers numbers_of(Solution&& solution);
/// The lower end of one and the upper end of the other.
Numbers hull(Numbers lower, Numbers upper);
/// One minus a probability.
Numbers complement(Numbers numbers);
/// With room for what the doubles of an exact model are rounded by, where bounds do not account for it: what is copied.
Numbers with_rounding(Numbers numbers);
/// Numbers known as fractions, with the doubles around them.
Numbers numbers_of(std::vector<ExactValue> exact);

/// An interval of reals with ends rounded outwards.
struct Interval {
  double low = 0;
  double high = 0;
};
Interval add(Interval a, Interval b);
Interval subtract(Interval a, Interval b);
Interval multiply(Interval a, Interval b);
/// All of the line where the divisor may be zero.
Interval divide(Interval a, Interval b);
/// With the error that an estimate may have: `epsilon`, relative above one.
Interval widened(Interval a, bool is_guaranteed, double epsilon);
inline Interval at(const Numbers& numbers, StateId s) { return {numbers.low_of(s), numbers.high_of(s)}; }
Interval interval_of(const ExactValue& value);
/// Infinity is above all fractions.
bool is_less(const ExactValue& a, const ExactValue& b);

/// Of the interval: the ends, and a value between them.
Bounded bounded(Interval interval, bool is_guaranteed);

}  // namespace plumb::chain
