#include <gtest/gtest.h>

#include <array>
#include <random>

#include "small_programs.h"
#include "term/op.h"

namespace plumb::interpret {
namespace {

using term::Op;

struct Case {
  Op op;
  std::uint32_t width;                  ///< of the result
  std::array<std::uint32_t, 3> widths;  ///< of the operands
  std::uint32_t parameter = 0;
};

/// Every operator in shapes that the decoded form treats differently: each specialised width, odd widths, wide values.
std::vector<Case> cases() {
  std::vector<Case> result;
  for (const std::uint32_t w : {1, 7, 8, 16, 24, 32, 64, 65, 80, 128, 200}) {
    for (int i = static_cast<int>(Op::Not); i <= static_cast<int>(Op::Ite); ++i) {
      const Op op = static_cast<Op>(i);
      switch (op) {
        case Op::Concat:
          result.push_back({op, w + 3, {w, 3, 0}});
          break;
        case Op::Extract:
          result.push_back({op, (w + 1) / 2, {w, 0, 0}, w / 2});
          result.push_back({op, (w + 1) / 2, {w, 0, 0}, 0});
          break;
        case Op::ZeroExtend:
        case Op::SignExtend:
          result.push_back({op, 2 * w, {w, 0, 0}});
          break;
        case Op::Repeat:
          result.push_back({op, 3 * w, {w, 0, 0}});
          break;
        case Op::Ite:
          result.push_back({op, w, {1, w, w}});
          break;
        default:
          result.push_back({op, term::is_predicate(op) ? 1 : w, {w, w, w}});
      }
    }
  }
  return result;
}

BitVector random_value(std::mt19937_64& random, std::uint32_t width) {
  if (random() % 4 == 0) return BitVector::ones(width);
  if (random() % 4 == 0) return BitVector(width, random() % 3);
  std::array<std::uint64_t, 4> words{random(), random(), random(), random()};
  return BitVector::from_words(width, words);
}

/// main() computes the operator on inputs and constants and gives 1 if the result is the expected constant.
RunResult run_case(const Case& c, const std::vector<BitVector>& values, unsigned constants, const BitVector& expected) {
  SmallProgram p;
  p.main([&](FunctionBuilder& b) {
    std::vector<ValueId> operands;
    for (std::size_t i = 0; i < values.size(); ++i)
      operands.push_back((constants >> i & 1) != 0 ? b.constant(values[i])
                                                   : intrinsic(b, Intrinsic::Nondet, {}, values[i].width()));
    const ValueId computed =
        b.emit(Kind::Operator, static_cast<std::uint8_t>(c.op), operands, std::array{c.width}, c.parameter);
    give(b, b.op(Op::ZeroExtend, {b.op(Op::Eq, {computed, b.constant(expected)})}, 32));
  });
  std::size_t next = 0;
  InterpreterOptions options;
  options.inputs = [&](std::string_view, std::size_t size) {
    while ((constants >> next & 1) != 0) ++next;
    const BitVector& v = values[next++];
    std::vector<std::uint8_t> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(v.word(i / 8) >> (i % 8 * 8));
    return bytes;
  };
  return p.run(options);
}

TEST(InterpreterValues, EveryOperatorAgreesWithEvaluateInEveryForm) {
  std::mt19937_64 random(3);
  for (const Case& c : cases()) {
    const unsigned arity = term::arity(c.op);
    for (unsigned constants = 0; constants < 1U << arity; ++constants) {
      for (int i = 0; i < 4; ++i) {
        std::vector<BitVector> values;
        std::vector<const BitVector*> pointers;
        for (unsigned k = 0; k < arity; ++k) values.push_back(random_value(random, c.widths[k]));
        for (const BitVector& v : values) pointers.push_back(&v);
        const bool is_division = c.op >= Op::Udiv && c.op <= Op::Smod;
        if (is_division && values[1].is_zero()) continue;
        if (is_division && values[1].is_ones() && values[0] == BitVector::min_signed(c.widths[0])) continue;
        const BitVector expected = term::evaluate(c.op, pointers, c.width, c.parameter);
        const RunResult result = run_case(c, values, constants, expected);
        ASSERT_EQ(result.end, RunResult::End::Exit) << name(c.op) << ' ' << c.widths[0];
        ASSERT_EQ(result.exit_code, 1) << name(c.op) << ' ' << c.widths[0] << " constants " << constants;
      }
    }
  }
}

TEST(InterpreterValues, DivisionsFaultOnZeroAndOnSignedOverflow) {
  for (const Op op : {Op::Udiv, Op::Urem, Op::Sdiv, Op::Srem}) {
    for (const std::uint32_t w : {8, 20, 32, 64, 100}) {
      const bool is_signed = op == Op::Sdiv || op == Op::Srem;
      const Case c{op, w, {w, w, 0}};
      const BitVector zero(w, 0);
      EXPECT_EQ(kinds(run_case(c, {BitVector(w, 5), zero}, 0, zero)), Kinds{"division-by-zero"});
      EXPECT_EQ(kinds(run_case(c, {BitVector(w, 5), zero}, 2, zero)), Kinds{"division-by-zero"});
      EXPECT_EQ(kinds(run_case(c, {BitVector::min_signed(w), BitVector::ones(w)}, 0, zero)),
                is_signed ? Kinds{"signed-overflow"} : Kinds{});
    }
  }
}

TEST(InterpreterValues, EdgesAssignTheirArgumentsAtOnce) {
  // Three values rotate and two of 128 bits are exchanged, ten times.
  SmallProgram p;
  p.main([](FunctionBuilder& b) {
    const BlockId loop = b.add_block();
    const BlockId done = b.add_block();
    const ValueId i = b.add_block_argument(loop, 32);
    std::array<ValueId, 3> r{};
    for (ValueId& v : r) v = b.add_block_argument(loop, 32);
    const ValueId x = b.add_block_argument(loop, 128);
    const ValueId y = b.add_block_argument(loop, 128);
    const BitVector big = BitVector(128, 7).shl(100);
    b.jump({loop,
            {b.constant(32, 0), b.constant(32, 1), b.constant(32, 2), b.constant(32, 3), b.constant(big),
             b.constant(128, 9)}});
    b.select(loop);
    const ValueId next = b.op(Op::Add, {i, b.constant(32, 1)});
    b.branch(b.op(Op::Ult, {next, b.constant(32, 11)}), {loop, {next, r[1], r[2], r[0], y, x}}, {done, {}});
    b.select(done);
    // After ten rotations by one: 2, 3, 1; after ten exchanges x is big again.
    const ValueId digits = b.op(Op::Add, {b.op(Op::Mul, {r[0], b.constant(32, 100)}),
                                          b.op(Op::Add, {b.op(Op::Mul, {r[1], b.constant(32, 10)}), r[2]})});
    const ValueId is_big = b.op(Op::ZeroExtend, {b.op(Op::Eq, {x, b.constant(big)})}, 32);
    give(b, b.op(Op::Mul, {digits, is_big}));
  });
  EXPECT_EQ(p.run().exit_code, 231);
}

TEST(InterpreterValues, SwitchFindsDenseSparseAndWideCases) {
  for (const std::uint32_t width : {8, 32, 64, 100}) {
    for (const std::uint64_t stride : {1, 3, 40}) {
      for (std::uint64_t chosen = 0; chosen <= 5; ++chosen) {
        SmallProgram p;
        p.main([&](FunctionBuilder& b) {
          const ValueId value = intrinsic(b, Intrinsic::Nondet, {}, width);
          std::vector<ValueId> constants;
          std::vector<FunctionBuilder::Target> targets;
          const BlockId end = b.add_block();
          const ValueId argument = b.add_block_argument(end, 32);
          for (std::uint64_t i = 0; i < 5; ++i) {
            constants.push_back(b.constant(width, 10 + i * stride));
            targets.push_back({end, {b.constant(32, i)}});
          }
          b.switch_on(value, constants, targets, {end, {b.constant(32, 99)}});
          b.select(end);
          give(b, argument);
        });
        InterpreterOptions options;
        options.inputs = [&](std::string_view, std::size_t) {
          return std::vector<std::uint8_t>{static_cast<std::uint8_t>(10 + chosen * stride)};
        };
        EXPECT_EQ(p.run(options).exit_code, chosen < 5 ? static_cast<int>(chosen) : 99);
      }
    }
  }
}

TEST(InterpreterValues, InstructionsAreCountedExactlyWhereverTheRunEnds) {
  SmallProgram p;
  p.main([](FunctionBuilder& b) {
    const BlockId loop = b.add_block();
    const BlockId done = b.add_block();
    const ValueId i = b.add_block_argument(loop, 32);
    b.jump({loop, {b.constant(32, 0)}});  // 1
    b.select(loop);                       // 3 for each of 10 rounds
    const ValueId next = b.op(Op::Add, {i, b.constant(32, 1)});
    b.branch(b.op(Op::Ult, {next, b.constant(32, 10)}), {loop, {next}}, {done, {}});
    b.select(done);
    const ValueId quotient = b.op(Op::Udiv, {next, b.op(Op::Sub, {next, i})});  // 2
    const ValueId zero = b.op(Op::Sub, {quotient, quotient});                   // 1
    b.op(Op::Udiv, {quotient, zero});                                           // 1: faults
    give(b, zero);
  });
  EXPECT_EQ(p.run().instructions, 1 + 30 + 4U);
  InterpreterOptions limited;
  limited.max_instructions = 20;
  const RunResult result = p.run(limited);
  EXPECT_EQ(result.end, RunResult::End::OutOfBudget);
  EXPECT_EQ(result.reason, "more than 20 instructions");
  EXPECT_LE(result.instructions, 20U);
  EXPECT_GE(result.instructions, 17U);
}

}  // namespace
}  // namespace plumb::interpret
