#include "semantics/operators.h"

#include <gtest/gtest.h>

#include <vector>

namespace plumb::semantics {
namespace {

using program::Check;
using program::CheckSet;
using program::FaultKind;
using program::platform_of;
using term::Op;

constexpr std::uint16_t kSourceFlags = program::kNoSignedWrap | program::kSourceShift;

CheckSet only(Check check) {
  CheckSet set;
  set.add(check);
  return set;
}

std::vector<FaultKind> kinds(const OperatorFaults& faults) {
  std::vector<FaultKind> found;
  for (const OperatorFault& fault : faults) found.push_back(fault.kind);
  return found;
}

using Kinds = std::vector<FaultKind>;

TEST(OperatorFaults, AQuotientThatDoesNotFitIsOneWhereTheMachineTrapsOrTheCheckIsOn) {
  const Kinds both = {FaultKind::DivisionByZero, FaultKind::SignedOverflow};
  const Kinds zero = {FaultKind::DivisionByZero};
  for (const Op op : {Op::Sdiv, Op::Srem}) {
    EXPECT_EQ(kinds(operator_faults(op, 0, false, platform_of("x86_64"), CheckSet::none())), both);
    EXPECT_EQ(kinds(operator_faults(op, 0, false, platform_of("aarch64"), CheckSet::none())), zero);
    EXPECT_EQ(kinds(operator_faults(op, 0, false, platform_of("aarch64"), only(Check::Overflow))), both);
    EXPECT_EQ(kinds(operator_faults(op, 0, true, platform_of("aarch64"), only(Check::Overflow))), zero);
    EXPECT_EQ(kinds(operator_faults(op, 0, true, platform_of("x86_64"), CheckSet::none())), both);
  }
  EXPECT_EQ(kinds(operator_faults(Op::Udiv, 0, false, platform_of("x86_64"), CheckSet::all())), zero);
}

TEST(OperatorFaults, WhatCLeavesUndefinedCountsIfItIsCheckedAndWrittenInTheSource) {
  const program::Platform x86 = platform_of("x86_64");
  for (const Op op : {Op::Add, Op::Sub, Op::Mul, Op::Neg}) {
    EXPECT_EQ(kinds(operator_faults(op, kSourceFlags, false, x86, only(Check::Overflow))),
              Kinds{FaultKind::SignedOverflow});
    EXPECT_TRUE(operator_faults(op, kSourceFlags, false, x86, only(Check::Shift)).is_empty());
    EXPECT_TRUE(operator_faults(op, kSourceFlags, true, x86, only(Check::Overflow)).is_empty());
    EXPECT_TRUE(operator_faults(op, 0, false, x86, only(Check::Overflow)).is_empty());
  }
  for (const Op op : {Op::Shl, Op::Lshr, Op::Ashr}) {
    EXPECT_EQ(kinds(operator_faults(op, kSourceFlags, false, x86, only(Check::Shift))),
              Kinds{FaultKind::ShiftOutOfRange});
    EXPECT_TRUE(operator_faults(op, 0, false, x86, only(Check::Shift)).is_empty());
  }
  EXPECT_TRUE(operator_faults(Op::Xor, kSourceFlags, false, x86, CheckSet::all()).is_empty());
}

/// What C says, in whole numbers.
bool is_wrong(Op op, FaultKind kind, std::int64_t a, std::int64_t b, std::uint64_t amount, unsigned width) {
  const std::int64_t least = -(std::int64_t{1} << (width - 1));
  const auto fits = [&](std::int64_t n) { return least <= n && n < -least; };
  if (kind == FaultKind::DivisionByZero) return b == 0;
  switch (op) {
    case Op::Add:
      return !fits(a + b);
    case Op::Sub:
      return !fits(a - b);
    case Op::Mul:
      return !fits(a * b);
    case Op::Neg:
      return !fits(-a);
    case Op::Sdiv:
    case Op::Srem:
    case Op::Smod:
      return a == least && b == -1;
    default:
      return amount >= width;
  }
}

TEST(OperatorFaults, HappenOnNumbersAndTermsWhenArithmeticSaysSo) {
  std::size_t compared = 0;
  for (int code = 0; code < term::kOpCount; ++code) {
    const Op op = static_cast<Op>(code);
    const OperatorFaults faults = operator_faults(op, kSourceFlags, false, platform_of("x86_64"), CheckSet::all());
    for (unsigned width = 1; width <= 5; ++width)
      for (std::uint64_t x = 0; x < 1U << width; ++x)
        for (std::uint64_t y = 0; y < 1U << width; ++y) {
          const BitVector a(width, x), b(width, y);
          const std::vector<const BitVector*> numbers =
              term::arity(op) == 1 ? std::vector{&a} : std::vector<const BitVector*>{&a, &b};
          for (const OperatorFault& fault : faults) {
            term::TermStore store;
            std::vector<term::Term> terms;
            for (const BitVector* number : numbers) terms.push_back(store.constant(*number));
            const bool expected = is_wrong(op, fault.kind, a.to_int64(), b.to_int64(), y, width);
            EXPECT_EQ(happens(fault, numbers), expected) << name(op) << " of " << x << " and " << y << ": " << width;
            EXPECT_EQ(store.is_true(condition(store, fault, terms)), expected) << name(op) << x << " " << y;
            ++compared;
          }
        }
  }
  EXPECT_GT(compared, 10'000U);
}

}  // namespace
}  // namespace plumb::semantics
