#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <deque>
#include <mutex>

#include "chain/exact/fraction.h"
#include "chain/value.h"

namespace plumb::chain {

/// Fractions by number: where a model is read exactly, a Value that would be a double is such a number instead. Equal
/// fractions have one number, and zero has the number zero. May be used by several threads; fractions stay where they
/// are for as long as the table lives.
class FractionTable {
 public:
  FractionTable() { number(Fraction()); }

  Value number(Fraction fraction);
  const Fraction& operator[](Value value) const;

  /// As chain::apply(), for operators on doubles and for Op::ToDouble. A value that is no fraction, and one that would
  /// have millions of digits, is a fault.
  Value apply(Op op, Type operand_type, Value a, Value b, Fault& fault);

 private:
  Value power(const Fraction& base, const Fraction& exponent, Fault& fault);

  mutable std::mutex mutex_;
  std::deque<Fraction> fractions_;
  absl::flat_hash_map<Fraction, std::int64_t> numbers_;
};

}  // namespace plumb::chain
