#include "term/narrow.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "operators.h"

namespace plumb::term {
namespace {

/// The widths of an operator's operands and result.
struct Shape {
  Op op;
  std::uint32_t width;
  std::array<std::uint32_t, 3> operands;
  std::uint32_t parameter = 0;
};

testing::AssertionResult agrees(const Shape& s, std::array<std::uint64_t, 3> values) {
  std::array<BitVector, 3> wide;
  std::array<const BitVector*, 3> operands{};
  for (unsigned i = 0; i < arity(s.op); ++i) {
    wide[i] = BitVector(s.operands[i], values[i]);
    operands[i] = &wide[i];
    values[i] = wide[i].to_uint64();
  }
  const BitVector expected = evaluate(s.op, std::span(operands).first(arity(s.op)), s.width, s.parameter);
  const std::uint64_t actual =
      evaluate_narrow(s.op, s.width, s.operands[0], s.parameter, values[0], values[1], values[2]);
  if (expected == BitVector(s.width, actual) && (actual & ~narrow_mask(s.width)) == 0)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << name(s.op) << " of width " << s.width << " on " << values[0] << ", "
                                     << values[1] << ", " << values[2] << " gives " << actual << ", not "
                                     << expected.to_decimal();
}

/// The shapes of `op` whose first operand has the width `w` and whose result is not wider than `limit`.
std::vector<Shape> shapes(Op op, std::uint32_t w, std::uint32_t limit) {
  std::vector<Shape> result;
  if (keeps_width(op)) return {{op, w, {w, w, w}}};
  if (is_predicate(op)) return {{op, 1, {w, w, w}}};
  switch (op) {
    case Op::Concat:
      for (std::uint32_t low = 1; w + low <= limit; ++low) result.push_back({op, w + low, {w, low, 0}});
      return result;
    case Op::Extract:
      for (std::uint32_t first = 0; first < w; ++first)
        for (std::uint32_t to = 1; first + to <= w; ++to) result.push_back({op, to, {w, 0, 0}, first});
      return result;
    case Op::ZeroExtend:
    case Op::SignExtend:
      for (std::uint32_t to = w; to <= limit; ++to) result.push_back({op, to, {w, 0, 0}});
      return result;
    case Op::Repeat:
      for (std::uint32_t to = w; to <= limit; to += w) result.push_back({op, to, {w, 0, 0}});
      return result;
    default:
      return {{op, w, {1, w, w}}};  // Ite
  }
}

TEST(Narrow, AgreesWithEvaluateOnAllOperandsOfUpToFourBits) {
  for (const Op op : bit_vector_operators())
    for (std::uint32_t w = 1; w <= 4; ++w)
      for (const Shape& s : shapes(op, w, 8)) {
        const auto end = [&](unsigned i) { return i < arity(op) ? std::uint64_t{1} << s.operands[i] : 1; };
        for (std::uint64_t a = 0; a < end(0); ++a)
          for (std::uint64_t b = 0; b < end(1); ++b)
            for (std::uint64_t c = 0; c < end(2); ++c) ASSERT_TRUE(agrees(s, {a, b, c}));
      }
}

TEST(Narrow, AgreesWithEvaluateOnCornersAndRandomOperandsOfAnyWidth) {
  std::mt19937_64 random(7);
  const auto number = [&](std::uint32_t width) -> std::uint64_t {
    const std::uint64_t least = std::uint64_t{1} << (width - 1);
    switch (random() % 6) {
      case 0:
        return least;
      case 1:
        return ~std::uint64_t{0};
      case 2:
        return least - 1;
      case 3:
        return random() % (2 * width);
      default:
        return random() >> (random() % 64);
    }
  };
  for (const Op op : bit_vector_operators())
    for (std::uint32_t w = 1; w <= 64; ++w)
      for (int i = 0; i < 100; ++i) {
        const std::vector<Shape> all = shapes(op, w, 64);
        if (all.empty()) break;  // nothing can be put beside a value of 64 bits
        const Shape& s = all[random() % all.size()];
        ASSERT_TRUE(agrees(s, {number(w), number(w), number(w)}));
      }
}

}  // namespace
}  // namespace plumb::term
