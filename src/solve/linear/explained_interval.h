#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solve/linear/simplex.h"

namespace plumb::solve {

/// Rounded down and up; need b > 0.
inline Wide floor_div(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }
inline Wide ceil_div(Wide a, Wide b) { return -floor_div(-a, b); }

/// Sets of constraints that share their parts.
class Reasons {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = 0;

  Id of(std::uint32_t constraint) {
    nodes_.push_back({constraint, kNone, kNone});
    return static_cast<Id>(nodes_.size() - 1);
  }
  Id join(Id a, Id b) {
    if (a == kNone || a == b) return b;
    if (b == kNone) return a;
    nodes_.push_back({0, a, b});
    return static_cast<Id>(nodes_.size() - 1);
  }
  /// The constraints, ascending.
  std::vector<std::uint32_t> expand(std::vector<Id> work) const {
    std::vector<bool> seen(nodes_.size());
    std::vector<std::uint32_t> result;
    while (!work.empty()) {
      const Id id = work.back();
      work.pop_back();
      if (id == kNone || seen[id]) continue;
      seen[id] = true;
      if (nodes_[id].left == kNone) {
        result.push_back(nodes_[id].constraint);
      } else {
        work.push_back(nodes_[id].left);
        work.push_back(nodes_[id].right);
      }
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

 private:
  struct Node {
    std::uint32_t constraint;
    Id left, right;
  };
  std::vector<Node> nodes_{{0, kNone, kNone}};
};

/// The integers from `low` to `high`, each bound with the constraints that it follows from.
struct Interval {
  Wide low, high;
  Reasons::Id low_why = Reasons::kNone, high_why = Reasons::kNone;

  bool is_empty() const { return low > high; }
  void raise(Wide bound, Reasons::Id why) {
    if (low < bound) low = bound, low_why = why;
  }
  void lower(Wide bound, Reasons::Id why) {
    if (bound < high) high = bound, high_why = why;
  }
};

/// The values from `first` on to `last`, modulo a power of two: may pass through zero.
struct Arc {
  Wide first, last;
};

/// Cuts an interval within [start, start + period) to the values in the arc, as far as the rest is an interval.
inline void intersect(Reasons& reasons, Interval& interval, Wide start, Wide period, Arc arc, Reasons::Id why) {
  const auto place = [&](Wide x) { return x - floor_div(x - start, period) * period; };
  const Wide first = place(arc.first);
  const Wide last = place(arc.last);
  if (first <= last) {
    interval.raise(first, why);
    interval.lower(last, why);
  } else if (interval.low > last) {
    interval.raise(first, reasons.join(why, interval.low_why));
  } else if (interval.high < first) {
    interval.lower(last, reasons.join(why, interval.high_why));
  }
}

}  // namespace plumb::solve
