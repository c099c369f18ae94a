#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace plumb::solve {

__extension__ using Wide = __int128;

/// A fraction in lowest terms with a positive denominator. What does not fit 128 bits throws Overflow.
class Rational {
 public:
  struct Overflow {};

  Rational(Wide numerator = 0) : numerator_(numerator) {}
  Rational(Wide numerator, Wide denominator);

  bool is_zero() const noexcept { return numerator_ == 0; }
  bool is_positive() const noexcept { return numerator_ > 0; }
  Wide floor() const { return numerator_ / denominator_ - (numerator_ % denominator_ < 0 ? 1 : 0); }
  Rational inverse() const { return {denominator_, numerator_}; }
  Rational operator-() const { return {-numerator_, denominator_}; }

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b) { return a + -b; }
  friend Rational operator*(const Rational& a, const Rational& b);
  friend bool operator<(const Rational& a, const Rational& b) { return (a - b).numerator_ < 0; }
  friend bool operator==(const Rational&, const Rational&) = default;

 private:
  Wide numerator_;
  Wide denominator_ = 1;
};

/// Is there a rational point within bounds on variables and on linear forms over them? Exact, and with an explanation:
/// each bound has a reason, and an infeasible system names the reasons of bounds that exclude each other. For one
/// check of a small system; the tableau is dense.
class Simplex {
 public:
  enum class Outcome : std::uint8_t { Feasible, Infeasible, Unknown };

  /// The index of a new variable without bounds. Variables come before forms.
  unsigned add_variable();
  /// A variable that is the sum of coefficient * variable.
  unsigned add_form(std::span<const std::pair<unsigned, Wide>> terms);

  /// Keep the stronger of this bound and the one there is.
  void bound_below(unsigned variable, Wide bound, std::uint32_t reason);
  void bound_above(unsigned variable, Wide bound, std::uint32_t reason);

  /// Unknown if a number grew too large or more than about `max_steps` of them were computed. To be called once.
  Outcome check(std::uint64_t max_steps);
  /// After Feasible: of a point within all bounds.
  const Rational& value(unsigned variable) const { return variables_.at(variable).value; }
  /// After Infeasible: the reasons, some perhaps twice.
  const std::vector<std::uint32_t>& conflict() const noexcept { return conflict_; }

 private:
  struct Bound {
    Wide value = 0;
    std::uint32_t reason = 0;
    bool exists = false;
  };
  struct Variable {
    Bound lower, upper;
    Rational value;
    bool below() const { return lower.exists && value < Rational(lower.value); }
    bool above() const { return upper.exists && Rational(upper.value) < value; }
    bool may_rise() const { return !upper.exists || value < Rational(upper.value); }
    bool may_fall() const { return !lower.exists || Rational(lower.value) < value; }
  };

  bool bounds_cross();
  void start();
  Outcome search(std::uint64_t max_steps);
  /// The column of smallest variable that can move the basic variable of `row` up or down; the column count if none.
  std::size_t entering(std::size_t row, bool up) const;
  void explain(std::size_t row, bool up);
  void pivot(std::size_t row, std::size_t column, const Rational& target);

  std::vector<Variable> variables_;
  std::vector<unsigned> columns_;  ///< the variables that the rows are over
  std::vector<unsigned> basics_;   ///< the variable that each row defines
  std::vector<std::vector<Rational>> rows_;
  std::vector<std::uint32_t> conflict_;
  std::uint64_t steps_ = 0;
};

}  // namespace plumb::solve
