#include "lang/tiny/interpret/words.h"

#include <fmt/format.h>

namespace plumb::tiny {

Words::Integer Words::to_integer(std::uint64_t word) const {
  const bool is_negative = is_signed_ && ((word >> (width_ - 1)) & 1U) != 0;
  return is_negative ? Integer{word} - (Integer{1} << width_) : Integer{word};
}

Words::Integer Words::least() const { return is_signed_ ? -(Integer{1} << (width_ - 1)) : Integer{0}; }

Words::Integer Words::greatest() const { return (Integer{1} << (is_signed_ ? width_ - 1 : width_)) - 1; }

std::string Words::text(std::uint64_t word) const {
  return is_signed_ ? fmt::format("{}", static_cast<std::int64_t>(to_integer(word))) : fmt::format("{}", word);
}

Words::Result Words::wrapped(Integer exact) const { return {to_word(exact), exact < least() || exact > greatest()}; }

Words::Result Words::negate(std::uint64_t a) const { return wrapped(-to_integer(a)); }

Words::Result Words::multiply(std::uint64_t a, std::uint64_t b) const {
  const std::uint64_t low = (a * b) & mask();
  Integer exact = 0;
  // Two unsigned words of 64 bits can leave even the wide integers.
  if (__builtin_mul_overflow(to_integer(a), to_integer(b), &exact)) return {low, true};
  return {low, exact < least() || exact > greatest()};
}

std::uint64_t Words::divide(std::uint64_t a, std::uint64_t b) const {
  if (b == 0) return to_integer(a) < 0 ? 1 : mask();
  return to_word(to_integer(a) / to_integer(b));
}

std::uint64_t Words::remainder(std::uint64_t a, std::uint64_t b) const {
  return b == 0 ? a : to_word(to_integer(a) % to_integer(b));
}

std::uint64_t Words::shift_right(std::uint64_t a, std::uint64_t amount) const {
  if (amount >= width_) return to_integer(a) < 0 ? mask() : 0;
  return to_word(to_integer(a) >> amount);
}

Words::Result Words::apply(Operator op, std::uint64_t a, std::uint64_t b) const {
  switch (op) {
    case Operator::Add:
      return wrapped(to_integer(a) + to_integer(b));
    case Operator::Subtract:
      return wrapped(to_integer(a) - to_integer(b));
    case Operator::Multiply:
      return multiply(a, b);
    case Operator::Divide:
      return {divide(a, b), is_signed_ && to_integer(a) == least() && b == mask()};
    case Operator::Remainder:
      return {remainder(a, b), false};
    case Operator::ShiftLeft:
      return {b >= width_ ? 0 : (a << b) & mask(), b >= width_};
    case Operator::ShiftRight:
      return {shift_right(a, b), b >= width_};
    case Operator::BitAnd:
      return {a & b, false};
    case Operator::BitOr:
      return {a | b, false};
    case Operator::BitXor:
      return {a ^ b, false};
    default:
      break;
  }
  INVARIANT(false, "an arithmetic operator should be known");
}

bool Words::compare(Operator op, std::uint64_t a, std::uint64_t b) const {
  const Integer x = to_integer(a);
  const Integer y = to_integer(b);
  switch (op) {
    case Operator::Less:
      return x < y;
    case Operator::LessEqual:
      return x <= y;
    case Operator::Greater:
      return x > y;
    case Operator::GreaterEqual:
      return x >= y;
    case Operator::Equal:
      return x == y;
    case Operator::NotEqual:
      return x != y;
    default:
      break;
  }
  INVARIANT(false, "a comparison should be known");
}

}  // namespace plumb::tiny
