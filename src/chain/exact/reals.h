#pragma once

#include <cstdint>

#include "chain/exact/fraction_table.h"

namespace plumb::chain {

/// What weights and rewards are computed with: doubles, or numbers of fractions where a model is read exactly. Zero is
/// Value{} in both.
class Reals {
 public:
  explicit Reals(FractionTable* fractions) : fractions_(fractions), one_(of_integer(1)) {}

  FractionTable* fractions() const noexcept { return fractions_; }
  bool is_exact() const noexcept { return fractions_ != nullptr; }
  Value one() const noexcept { return one_; }
  Value of_integer(std::int64_t value) const {
    Value result{};
    if (is_exact()) return fractions_->number(Fraction::of_integer(value));
    result.real = static_cast<double>(value);
    return result;
  }
  Value add(Value a, Value b) const {
    if (is_exact()) return fractions_->number((*fractions_)[a] + (*fractions_)[b]);
    a.real += b.real;
    return a;
  }
  Value multiply(Value a, Value b) const {
    if (is_exact()) return fractions_->number((*fractions_)[a] * (*fractions_)[b]);
    a.real *= b.real;
    return a;
  }
  Value divide(Value a, Value b) const {
    if (is_exact()) return fractions_->number((*fractions_)[a] / (*fractions_)[b]);
    a.real /= b.real;
    return a;
  }
  bool is_zero(Value a) const noexcept { return is_exact() ? a.integer == 0 : a.real == 0; }
  /// Rounded to nearest.
  double as_double(Value a) const { return is_exact() ? (*fractions_)[a].nearest() : a.real; }

 private:
  FractionTable* fractions_;
  Value one_;
};

}  // namespace plumb::chain
