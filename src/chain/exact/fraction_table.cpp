#include "chain/exact/fraction_table.h"

#include <algorithm>
#include <cstdlib>

#include "base/error.h"

namespace plumb::chain {
namespace {

constexpr std::int64_t kGreatestPower = 100'000;

Value integer_value(std::int64_t integer) {
  Value value;
  value.integer = integer;
  return value;
}

Value whole(const Fraction& fraction, Fault& fault) {
  const std::optional<std::int64_t> value = fraction.floor();
  if (!value) fault = Fault::NotAnInteger;
  return integer_value(value.value_or(0));
}

}  // namespace

Value FractionTable::number(Fraction fraction) {
  const std::scoped_lock lock(mutex_);
  const auto [place, is_new] = numbers_.try_emplace(fraction, static_cast<std::int64_t>(fractions_.size()));
  if (is_new) fractions_.push_back(std::move(fraction));
  return integer_value(place->second);
}

const Fraction& FractionTable::operator[](Value value) const {
  const std::scoped_lock lock(mutex_);
  return fractions_[static_cast<std::size_t>(value.integer)];
}

Value FractionTable::power(const Fraction& base, const Fraction& exponent, Fault& fault) {
  const std::optional<std::int64_t> whole = exponent.floor();
  if (!exponent.is_integer() || !whole || std::abs(*whole) > kGreatestPower)
    fault = Fault::NoFraction;
  else if (base.is_zero() && *whole < 0)
    fault = Fault::BadPower;
  else
    return number(base.power(*whole));
  return number({});
}

Value FractionTable::apply(Op op, Type operand_type, Value a, Value b, Fault& fault) {
  if (op == Op::ToDouble) return number(Fraction::of_integer(a.integer));
  if (operand_type != Type::Double) return chain::apply(op, operand_type, a, b, fault);
  const Fraction& x = (*this)[a];
  const Fraction& y = (*this)[b];
  switch (op) {
    case Op::Negate:
      return number(-x);
    case Op::Add:
      return number(x + y);
    case Op::Subtract:
      return number(x - y);
    case Op::Multiply:
      return number(x * y);
    case Op::Divide:
      if (!y.is_zero()) return number(x / y);
      fault = Fault::DivisionByZero;
      return number({});
    case Op::Power:
      return power(x, y, fault);
    case Op::Log:
      fault = Fault::NoFraction;
      return number({});
    case Op::Min:
      return x < y ? a : b;
    case Op::Max:
      return x > y ? a : b;
    case Op::Floor:
      return whole(x, fault);
    case Op::Ceil: {
      const Value below = whole(-x, fault);
      return integer_value(-below.integer);
    }
    case Op::Round:
      return whole(x + Fraction(Natural(1), Natural(2)), fault);
    case Op::Less:
      return integer_value(x < y ? 1 : 0);
    case Op::LessEqual:
      return integer_value(x <= y ? 1 : 0);
    case Op::Equal:
      return integer_value(a.integer == b.integer ? 1 : 0);
    default:
      INVARIANT(false, "an operator on fractions should be one of these");
  }
}

}  // namespace plumb::chain
