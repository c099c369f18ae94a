// What a joined value can be at all. Programs bound numbers by conditions, `x < 6 ? x : 0`, of which the ranges of the
// branches know nothing; then a number that is counted up in each round of a loop has more values in each round, and
// every choice changes all of them. So each branch is taken under its side of the condition.

#include <algorithm>
#include <optional>

#include "paths/domains.h"

namespace plumb::paths {

using term::Op;

namespace {

constexpr std::size_t kMostConditions = 32;

}  // namespace

Range Domains::joined_forward(Cell c) const {
  const Data& data = cells_[c];
  return joined(branch_values(data.operand[1], data.operand[0], true),
                branch_values(data.operand[2], data.operand[0], false));
}

Range Domains::branch_values(Cell branch, Cell condition, bool value) const {
  // What is known of x bounds x + 1, too.
  const Data& data = cells_[branch];
  const bool is_sum = data.op == Op::Add && data.arity > 0 &&
                      domains_[data.operand[0]].is_single() != domains_[data.operand[1]].is_single();
  const unsigned moved = is_sum && domains_[data.operand[0]].is_single() ? 1 : 0;
  const Cell base = is_sum ? data.operand[moved] : branch;
  Range values = domains_[branch];
  Range of_base = domains_[base];
  std::vector<std::pair<Cell, bool>> open{{condition, value}};
  for (std::size_t visited = 0; !open.empty() && visited < kMostConditions; ++visited) {
    const auto [next, holds] = open.back();
    open.pop_back();
    const Data& part = cells_[next];
    if (part.arity == 0) continue;
    if (part.op == Op::Not) open.emplace_back(part.operand[0], !holds);
    if (part.op == Op::And && holds) open.insert(open.end(), {{part.operand[0], true}, {part.operand[1], true}});
    values = common(data.width, values, restricted(branch, next, holds)).value_or(values);
    of_base = common(data.width, of_base, restricted(base, next, holds)).value_or(of_base);
  }
  if (!is_sum) return values;
  const Range moved_base = sum(data.width, of_base, domains_[data.operand[1 - moved]]);
  return common(data.width, values, moved_base).value_or(values);
}

/// The values that the cell can have if a comparison of it has this outcome, as far as it is one.
Range Domains::restricted(Cell c, Cell comparison, bool value) const {
  const Data& data = cells_[comparison];
  Range r = Range::all(cells_[c].width);
  if ((data.op != Op::Slt && data.op != Op::Ult && data.op != Op::Eq) || data.arity == 0) return r;
  if (data.operand[0] != c && data.operand[1] != c) return r;
  const bool is_first = data.operand[0] == c;
  const Range& other = domains_[data.operand[is_first ? 1 : 0]];
  if (data.op == Op::Eq) return value ? other : r;
  // c < other, c <= other, other < c or other <= c
  const bool is_below = is_first == value;
  if (data.op == Op::Slt && is_below) r.greatest = value ? std::max(other.greatest, r.least + 1) - 1 : other.greatest;
  if (data.op == Op::Slt && !is_below) r.least = value ? std::min(other.least, r.greatest - 1) + 1 : other.least;
  if (data.op == Op::Ult && is_below) r.high = value ? std::max(other.high, r.low + 1) - 1 : other.high;
  if (data.op == Op::Ult && !is_below) r.low = value ? std::min(other.low, r.high - 1) + 1 : other.low;
  return common(cells_[c].width, r, r).value_or(Range::all(cells_[c].width));
}

}  // namespace plumb::paths
