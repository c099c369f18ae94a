#include "term/op.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "base/error.h"
#include "operators.h"

namespace plumb::term {
namespace {

BitVector apply(Op op, const BitVector& a, const BitVector& b, std::uint32_t width) {
  const std::array<const BitVector*, 2> operands{&a, &b};
  return evaluate(op, std::span(operands).first(arity(op)), width, 0);
}

/// What the binary operators mean, on integers that cannot overflow; `width` is below 16.
std::int64_t meaning(Op op, std::int64_t a, std::int64_t b, std::int64_t sa, std::int64_t sb, std::uint32_t width) {
  const std::int64_t size = std::int64_t{1} << width;
  const auto leaves = [&](std::int64_t v) { return v < -size / 2 || v >= size / 2 ? 1 : 0; };
  const std::int64_t turn = b % width;
  switch (op) {
    case Op::Not:
      return size - 1 - a;
    case Op::And:
      return a & b;
    case Op::Or:
      return a | b;
    case Op::Xor:
      return a ^ b;
    case Op::Neg:
      return -a;
    case Op::Add:
      return a + b;
    case Op::Sub:
      return a - b;
    case Op::Mul:
      return a * b;
    case Op::Udiv:
      return b == 0 ? -1 : a / b;
    case Op::Urem:
      return b == 0 ? a : a % b;
    case Op::Sdiv:
      return sb == 0 ? (sa < 0 ? 1 : -1) : sa / sb;
    case Op::Srem:
      return sb == 0 ? sa : sa % sb;
    case Op::Smod:
      return sb == 0 ? sa : ((sa % sb) + sb) % sb;
    case Op::Shl:
      return b >= width ? 0 : a << b;
    case Op::Lshr:
      return b >= width ? 0 : a >> b;
    case Op::Ashr:
      return b >= width ? (sa < 0 ? -1 : 0) : sa >> b;
    case Op::RotateLeft:
      return a << turn | a >> (width - turn);
    case Op::RotateRight:
      return a >> turn | a << (width - turn);
    case Op::Eq:
      return a == b ? 1 : 0;
    case Op::Ult:
      return a < b ? 1 : 0;
    case Op::Ule:
      return a <= b ? 1 : 0;
    case Op::Slt:
      return sa < sb ? 1 : 0;
    case Op::Sle:
      return sa <= sb ? 1 : 0;
    case Op::NegOverflow:
      return leaves(-sa);
    case Op::UaddOverflow:
      return a + b >= size ? 1 : 0;
    case Op::SaddOverflow:
      return leaves(sa + sb);
    case Op::UsubOverflow:
      return a - b < 0 ? 1 : 0;
    case Op::SsubOverflow:
      return leaves(sa - sb);
    case Op::UmulOverflow:
      return a * b >= size ? 1 : 0;
    case Op::SmulOverflow:
      return leaves(sa * sb);
    case Op::SdivOverflow:
      return sb == 0 ? 0 : leaves(sa / sb);
    default:
      ADD_FAILURE() << "no meaning for " << name(op);
      return 0;
  }
}

TEST(Op, MeansWhatIntegersSayAtAllSmallWidths) {
  for (std::uint32_t w = 1; w <= 5; ++w) {
    for (const Op op : operators_between(Op::Not, Op::SdivOverflow)) {
      const std::uint32_t width = is_predicate(op) ? 1 : w;
      for (std::uint64_t x = 0; x < (1U << w); ++x) {
        for (std::uint64_t y = 0; y < (1U << w); ++y) {
          const BitVector a(w, x);
          const BitVector b(w, y);
          const std::int64_t expected =
              meaning(op, static_cast<std::int64_t>(x), static_cast<std::int64_t>(y), a.to_int64(), b.to_int64(), w);
          ASSERT_EQ(apply(op, a, b, width), BitVector(width, static_cast<std::uint64_t>(expected)))
              << name(op) << " " << x << " " << y << " width " << w;
        }
      }
    }
  }
}

TEST(Op, StructureMovesBits) {
  for (std::uint64_t v = 0; v < 16; ++v) {
    const BitVector a(4, v);
    const std::array<const BitVector*, 1> operand{&a};
    for (std::uint32_t low = 0; low < 4; ++low)
      for (std::uint32_t n = 1; low + n <= 4; ++n)
        EXPECT_EQ(evaluate(Op::Extract, operand, n, low), BitVector(n, v >> low));
    EXPECT_EQ(evaluate(Op::ZeroExtend, operand, 9, 0), BitVector(9, v));
    EXPECT_EQ(evaluate(Op::SignExtend, operand, 9, 0), BitVector(9, v >= 8 ? v | 0x1f0 : v));
    EXPECT_EQ(evaluate(Op::Repeat, operand, 12, 0), BitVector(12, v * 0x111));
    const BitVector b(3, 5);
    EXPECT_EQ(evaluate(Op::Concat, std::array<const BitVector*, 2>{&a, &b}, 7, 0), BitVector(7, v * 8 + 5));
    for (const std::uint64_t c : {0U, 1U}) {
      const BitVector condition(1, c);
      const BitVector other = ~a;
      const std::array<const BitVector*, 3> operands{&condition, &a, &other};
      EXPECT_EQ(evaluate(Op::Ite, operands, 4, 0), c == 1 ? a : other);
    }
  }
}

TEST(Op, CommutativeOperatorsAreThoseWhoseOperandsMayBeExchanged) {
  for (const Op op : bit_vector_operators()) {
    if (arity(op) != 2) {
      EXPECT_FALSE(is_commutative(op)) << name(op);
      continue;
    }
    bool commutes = true;
    for (std::uint64_t x = 0; x < 8; ++x) {
      for (std::uint64_t y = 0; y < 8; ++y) {
        const std::uint32_t width = op == Op::Concat ? 6 : is_predicate(op) ? 1 : 3;
        commutes = commutes && apply(op, {3, x}, {3, y}, width) == apply(op, {3, y}, {3, x}, width);
      }
    }
    EXPECT_EQ(is_commutative(op), commutes) << name(op);
  }
}

TEST(Op, NamesAreDifferentAndAritiesAtMostThree) {
  std::set<std::string_view> names;
  for (int i = 0; i < kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    EXPECT_FALSE(name(op).empty());
    EXPECT_TRUE(names.insert(name(op)).second) << name(op);
    EXPECT_LE(arity(op), 3U);
  }
}

TEST(Op, LeavesAndArraysHaveNoValue) {
  const BitVector a(4, 1);
  const std::array<const BitVector*, 3> operands{&a, &a, &a};
  for (const Op op : {Op::Constant, Op::Variable, Op::Select, Op::Store, Op::ConstantArray})
    EXPECT_THROW(evaluate(op, operands, 4, 0), InternalError) << name(op);
}

}  // namespace
}  // namespace plumb::term
