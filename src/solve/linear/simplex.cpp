// The simplex method for feasibility (Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for DPLL(T)", 2006,
// section 3): variables of columns are always within their bounds, those of rows follow from them; one that is outside
// its bounds is exchanged with a column that still has room. If none has, the row and the bounds in its way are a
// contradiction. The smallest variable is always taken (Bland), so that it ends. No bound is ever retracted.

#include "solve/linear/simplex.h"

#include "base/error.h"

namespace plumb::solve {

namespace {

/// The least number has no negative.
constexpr Wide kLeast = Wide{1} << 126 << 1;

Wide checked_add(Wide a, Wide b) {
  Wide sum;
  if (__builtin_add_overflow(a, b, &sum) || sum == kLeast) throw Rational::Overflow{};
  return sum;
}

Wide checked_mul(Wide a, Wide b) {
  Wide product;
  if (__builtin_mul_overflow(a, b, &product) || product == kLeast) throw Rational::Overflow{};
  return product;
}

Wide magnitude(Wide a) { return a < 0 ? -a : a; }

Wide gcd(Wide a, Wide b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

}  // namespace

Rational::Rational(Wide numerator, Wide denominator) {
  const Wide common = denominator == 1 ? Wide{1} : gcd(magnitude(numerator), magnitude(denominator));
  const Wide divisor = denominator < 0 ? -common : common;
  numerator_ = numerator / divisor;
  denominator_ = denominator / divisor;
}

Rational operator+(const Rational& a, const Rational& b) {
  if (a.denominator_ == b.denominator_) return {checked_add(a.numerator_, b.numerator_), a.denominator_};
  return {checked_add(checked_mul(a.numerator_, b.denominator_), checked_mul(b.numerator_, a.denominator_)),
          checked_mul(a.denominator_, b.denominator_)};
}

Rational operator*(const Rational& a, const Rational& b) {
  return {checked_mul(a.numerator_, b.numerator_), checked_mul(a.denominator_, b.denominator_)};
}

unsigned Simplex::add_variable() {
  INVARIANT(rows_.empty(), "variables should come before forms");
  columns_.push_back(static_cast<unsigned>(variables_.size()));
  variables_.emplace_back();
  return columns_.back();
}

unsigned Simplex::add_form(std::span<const std::pair<unsigned, Wide>> terms) {
  std::vector<Rational> row(columns_.size());
  for (const auto& [variable, coefficient] : terms) row.at(variable) = row.at(variable) + Rational(coefficient);
  rows_.push_back(std::move(row));
  basics_.push_back(static_cast<unsigned>(variables_.size()));
  variables_.emplace_back();
  return basics_.back();
}

void Simplex::bound_below(unsigned variable, Wide bound, std::uint32_t reason) {
  Bound& lower = variables_.at(variable).lower;
  if (!lower.exists || lower.value < bound) lower = {bound, reason, true};
}

void Simplex::bound_above(unsigned variable, Wide bound, std::uint32_t reason) {
  Bound& upper = variables_.at(variable).upper;
  if (!upper.exists || bound < upper.value) upper = {bound, reason, true};
}

bool Simplex::bounds_cross() {
  for (const Variable& v : variables_) {
    if (!v.lower.exists || !v.upper.exists || v.lower.value <= v.upper.value) continue;
    conflict_ = {v.lower.reason, v.upper.reason};
    return true;
  }
  return false;
}

void Simplex::start() {
  for (const unsigned c : columns_) {
    Variable& v = variables_[c];
    if (v.lower.exists)
      v.value = v.lower.value;
    else if (v.upper.exists)
      v.value = v.upper.value;
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    Rational value;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (!rows_[r][c].is_zero()) value = value + rows_[r][c] * variables_[columns_[c]].value;
    variables_[basics_[r]].value = value;
  }
}

std::size_t Simplex::entering(std::size_t row, bool up) const {
  std::size_t best = columns_.size();
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Rational& a = rows_[row][c];
    if (a.is_zero() || (best < columns_.size() && columns_[best] < columns_[c])) continue;
    const Variable& v = variables_[columns_[c]];
    if (a.is_positive() == up ? v.may_rise() : v.may_fall()) best = c;
  }
  return best;
}

void Simplex::explain(std::size_t row, bool up) {
  const Variable& basic = variables_[basics_[row]];
  conflict_ = {up ? basic.lower.reason : basic.upper.reason};
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Rational& a = rows_[row][c];
    if (a.is_zero()) continue;
    const Variable& v = variables_[columns_[c]];
    conflict_.push_back(a.is_positive() == up ? v.upper.reason : v.lower.reason);
  }
}

void Simplex::pivot(std::size_t row, std::size_t column, const Rational& target) {
  Variable& leaving = variables_[basics_[row]];
  Variable& coming = variables_[columns_[column]];
  std::vector<Rational>& a = rows_[row];
  const Rational inverse = a[column].inverse();
  const Rational change = (target - leaving.value) * inverse;
  leaving.value = target;
  coming.value = coming.value + change;
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (r != row && !rows_[r][column].is_zero())
      variables_[basics_[r]].value = variables_[basics_[r]].value + rows_[r][column] * change;

  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (!a[c].is_zero()) a[c] = c == column ? inverse : -a[c] * inverse;
  steps_ += columns_.size() + rows_.size();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (r == row || rows_[r][column].is_zero()) continue;
    const Rational factor = std::exchange(rows_[r][column], Rational());
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (!a[c].is_zero()) rows_[r][c] = rows_[r][c] + factor * a[c];
    steps_ += columns_.size();
  }
  std::swap(basics_[row], columns_[column]);
}

Simplex::Outcome Simplex::search(std::uint64_t max_steps) {
  start();
  while (steps_ <= max_steps) {
    std::size_t row = rows_.size();
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const Variable& v = variables_[basics_[r]];
      if ((row == rows_.size() || basics_[r] < basics_[row]) && (v.below() || v.above())) row = r;
    }
    if (row == rows_.size()) return Outcome::Feasible;
    const Variable& v = variables_[basics_[row]];
    const bool up = v.below();
    const std::size_t column = entering(row, up);
    if (column == columns_.size()) {
      explain(row, up);
      return Outcome::Infeasible;
    }
    pivot(row, column, up ? v.lower.value : v.upper.value);
  }
  return Outcome::Unknown;
}

Simplex::Outcome Simplex::check(std::uint64_t max_steps) {
  if (bounds_cross()) return Outcome::Infeasible;
  try {
    return search(max_steps);
  } catch (const Rational::Overflow&) {
    return Outcome::Unknown;
  }
}

}  // namespace plumb::solve
