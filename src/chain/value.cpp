#include "chain/value.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace plumb::chain {
namespace {

Value of(std::int64_t integer) {
  Value value;
  value.integer = integer;
  return value;
}

Value of(double real) {
  Value value;
  value.real = real;
  return value;
}

Value to_integer(double real, Fault& fault) {
  constexpr double kLimit = 9007199254740992.0;  // 2^53: beyond, doubles skip integers
  if (!(real >= -kLimit && real <= kLimit)) {
    fault = Fault::NotAnInteger;
    return of(std::int64_t{0});
  }
  return of(static_cast<std::int64_t>(real));
}

Value integer_power(std::int64_t base, std::int64_t exponent, Fault& fault) {
  if (exponent < 0) {
    fault = Fault::BadPower;
    return of(std::int64_t{0});
  }
  std::int64_t result = 1;
  for (; exponent > 0; exponent >>= 1) {
    bool overflow = (exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result);
    if (exponent > 1) overflow |= __builtin_mul_overflow(base, base, &base);
    if (overflow) {
      fault = Fault::Overflow;
      return of(std::int64_t{0});
    }
  }
  return of(result);
}

Value apply_integer(Op op, std::int64_t a, std::int64_t b, Fault& fault) {
  std::int64_t result = 0;
  bool overflow = false;
  switch (op) {
    case Op::Not:
      return of(a ^ 1);
    case Op::Negate:
      overflow = __builtin_sub_overflow(std::int64_t{0}, a, &result);
      break;
    case Op::ToDouble:
      return of(static_cast<double>(a));
    case Op::Add:
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case Op::Subtract:
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case Op::Multiply:
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    case Op::Power:
      return integer_power(a, b, fault);
    case Op::Min:
      return of(std::min(a, b));
    case Op::Max:
      return of(std::max(a, b));
    case Op::Modulo:
      if (b <= 0) {
        fault = Fault::BadModulo;
        return of(std::int64_t{0});
      }
      return of((a % b + b) % b);
    case Op::Less:
      return of(std::int64_t{a < b});
    case Op::LessEqual:
      return of(std::int64_t{a <= b});
    case Op::Equal:
      return of(std::int64_t{a == b});
    default:
      INVARIANT(false, "an operator on ints should be one of these");
  }
  if (overflow) fault = Fault::Overflow;
  return of(overflow ? std::int64_t{0} : result);
}

Value apply_real(Op op, double a, double b, Fault& fault) {
  switch (op) {
    case Op::Negate:
      return of(-a);
    case Op::Add:
      return of(a + b);
    case Op::Subtract:
      return of(a - b);
    case Op::Multiply:
      return of(a * b);
    case Op::Divide:
      if (b == 0) {
        fault = Fault::DivisionByZero;
        return of(0.0);
      }
      return of(a / b);
    case Op::Power: {
      const double result = std::pow(a, b);
      if (std::isnan(result)) fault = Fault::BadPower;
      return of(result);
    }
    case Op::Min:
      return of(std::min(a, b));
    case Op::Max:
      return of(std::max(a, b));
    case Op::Floor:
      return to_integer(std::floor(a), fault);
    case Op::Ceil:
      return to_integer(std::ceil(a), fault);
    case Op::Round:
      return to_integer(std::floor(a + 0.5), fault);
    case Op::Log:
      if (!(a > 0) || !(b > 0) || b == 1) {
        fault = Fault::BadLogarithm;
        return of(0.0);
      }
      return of(std::log(a) / std::log(b));
    case Op::Less:
      return of(std::int64_t{a < b});
    case Op::LessEqual:
      return of(std::int64_t{a <= b});
    case Op::Equal:
      return of(std::int64_t{a == b});
    default:
      INVARIANT(false, "an operator on doubles should be one of these");
  }
}

}  // namespace

const char* to_string(Fault fault) {
  switch (fault) {
    case Fault::None:
      return "no fault";
    case Fault::DivisionByZero:
      return "a division by zero";
    case Fault::Overflow:
      return "an integer that needs more than 64 bits";
    case Fault::BadModulo:
      return "a modulus that is not positive";
    case Fault::BadPower:
      return "a power that is not defined";
    case Fault::BadLogarithm:
      return "a logarithm that is not defined";
    case Fault::NotAnInteger:
      return "a number that is too large for an integer";
    case Fault::NoFraction:
      return "a value that is no fraction of reasonable size";
  }
  return "";
}

Value apply(Op op, Type operand_type, Value a, Value b, Fault& fault) noexcept {
  return operand_type == Type::Double ? apply_real(op, a.real, b.real, fault)
                                      : apply_integer(op, a.integer, b.integer, fault);
}

}  // namespace plumb::chain
