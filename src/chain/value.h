#pragma once

#include <cstdint>

#include "chain/expression.h"

namespace plumb::chain {

/// A bool, an int or a double; the type is known from elsewhere. Where a model is read exactly, `integer` is the number
/// of a fraction instead of a double (exact/fraction_table.h).
union Value {
  std::int64_t integer;
  double real;
};

/// Why an operator has no value.
enum class Fault : std::uint8_t {
  None,
  DivisionByZero,
  Overflow,
  BadModulo,
  BadPower,
  BadLogarithm,
  NotAnInteger,
  NoFraction,  ///< where doubles are fractions
};
const char* to_string(Fault fault);  ///< "a division by zero"

/// One operator on concrete operands (not Variable, And, Or, IfThenElse): the one place that says what operators mean.
/// `operand_type` is that of the operands. On a fault the result is zero.
Value apply(Op op, Type operand_type, Value a, Value b, Fault& fault) noexcept;

}  // namespace plumb::chain
