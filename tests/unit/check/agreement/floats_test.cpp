// Every operation on floating point numbers, in the formats of 16, 32 and 64 bits and on numbers of each kind: the
// interpreter gives what program::evaluate() gives, and so do regions, unroll and flatten if nothing is rounded.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "concolic/region/region_template.h"
#include "flatten/flatten.h"
#include "gaps.h"
#include "interpret/interpreter.h"
#include "program/float_op.h"
#include "program/function_builder.h"
#include "system/graph_run.h"
#include "unroll/unroll.h"

namespace plumb::check::agreement {
namespace {

using program::FloatOp;
using program::FunctionBuilder;
using program::Goal;
using program::GoalKind;
using program::Intrinsic;
using program::Kind;
using program::Program;
using program::ValueId;
using result::Verdict;
using term::Op;

struct Case {
  FloatOp op;
  std::uint32_t from;   ///< bits of the operands
  std::uint32_t width;  ///< of the result

  std::string text() const { return fmt::format("{} from {} to {} bits", name(op), from, width); }
  /// The name of the gap that it is in, if one.
  bool is_gap_of(Engine engine) const {
    const bool is_comparison = op >= FloatOp::Equal && op <= FloatOp::Unordered;
    const bool is_exact = is_comparison || (op == FloatOp::Convert && from < width);
    return !is_exact && is_gap(engine, "rounding");
  }
};

/// Zero, the least and a normal number, infinity and NaN, of either sign.
std::vector<BitVector> numbers(std::uint32_t width) {
  const std::uint32_t mantissa = width == 16 ? 10 : width == 32 ? 23 : 52;
  const BitVector infinity =
      BitVector(1, 0).concat(BitVector::ones(width - 1 - mantissa)).concat(BitVector(mantissa, 0));
  std::vector<BitVector> all = {BitVector(width, 0), BitVector(width, 1), infinity,
                                infinity + BitVector(width, 3).shl(mantissa - 2),
                                infinity - BitVector(width, 7).shl(mantissa - 1)};
  for (std::size_t i = 0; i < 5; ++i) all.push_back(all[i] ^ BitVector::min_signed(width));
  return all;
}

std::vector<Case> cases_of(FloatOp op) {
  std::vector<Case> all;
  for (const std::uint32_t from : {16U, 32U, 64U}) {
    if (op == FloatOp::Convert) {
      for (const std::uint32_t width : {16U, 32U, 64U})
        if (width != from) all.push_back({op, from, width});
    } else if (op >= FloatOp::Equal && op <= FloatOp::Unordered) {
      all.push_back({op, from, 1});
    } else {
      all.push_back({op, from, from});
    }
  }
  return all;
}

BitVector value(const Case& c, const std::vector<BitVector>& operands) {
  std::vector<const BitVector*> pointers;
  for (const BitVector& operand : operands) pointers.push_back(&operand);
  return program::evaluate(c.op, pointers, c.width);
}

/// Asks for the operands and checks the result against the one for these; others are assumed away.
struct Subject {
  Subject(const Case& c, const std::vector<BitVector>& operands) {
    FunctionBuilder b("main");
    b.add_result(32);
    b.add_block();
    b.select(0);
    const auto intrinsic = [&](Intrinsic i, ValueId operand) {
      b.emit(Kind::Intrinsic, static_cast<std::uint8_t>(i), std::array{operand});
    };
    std::vector<ValueId> given;
    for (const BitVector& operand : operands) {
      given.push_back(b.emit(Kind::Intrinsic, static_cast<std::uint8_t>(Intrinsic::Nondet), {}, std::array{c.from}));
      intrinsic(Intrinsic::Assume, b.op(Op::Eq, {given.back(), b.constant(operand)}));
    }
    const ValueId result = b.float_op(c.op, given, c.width);
    intrinsic(Intrinsic::Check, b.op(Op::Eq, {result, b.constant(value(c, operands))}));
    b.return_values(std::array{b.constant(32, 0)});
    program.functions.push_back(b.finish());
    program.entry = 0;
    const program::Function& main = program.functions[0];
    for (program::InstructionId i = 0; i < main.instructions.size(); ++i)
      if (main.instructions[i].kind == Kind::Intrinsic && main.instructions[i].intrinsic() == Intrinsic::Check)
        goals = {{GoalKind::Assertion, {0, i}}};
  }
  Program program;
  std::vector<Goal> goals;
};

bool is_right_interpreted(const Subject& subject, const std::vector<BitVector>& operands) {
  interpret::InterpreterOptions options;
  std::size_t next = 0;
  options.inputs = [&](std::string_view, std::size_t size) {
    std::vector<std::uint8_t> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(operands[next].to_uint64() >> 8 * i);
    ++next;
    return bytes;
  };
  return interpret::Interpreter(subject.program).run(options, {}).end == interpret::RunResult::End::Exit;
}

/// Nothing if the graph comes to a gap.
std::optional<bool> is_right_flattened(const Subject& subject, const std::vector<BitVector>& operands) {
  const flatten::Flattened flat = flatten::flatten(subject.program, subject.goals, {}, {});
  std::size_t next = 0;
  system::GraphRun run(flat.graph, [&](std::size_t) -> term::Value { return operands[next++]; });
  while (run.step())
    for (const std::size_t property : run.failed())
      if (property < flat.cover_property(0)) return property < flat.goal_count ? std::optional(false) : std::nullopt;
  return true;
}

/// The result in a region for each list of operands; nothing if the operation is in none.
std::vector<BitVector> in_region(const Case& c, const std::vector<std::vector<BitVector>>& lists,
                                 std::string_view triple = {}) {
  FunctionBuilder b("f");
  b.add_result(c.width);
  const ValueId choice = b.add_parameter(1);
  std::vector<ValueId> given;
  for (std::size_t i = 0; i < lists[0].size(); ++i) given.push_back(b.add_parameter(c.from));
  for (int i = 0; i < 4; ++i) b.add_block();
  const ValueId joined = b.add_block_argument(3, c.width);
  b.select(0);
  b.branch(choice, {1, {}}, {2, {}});
  b.select(1);
  b.jump({3, {b.float_op(c.op, given, c.width)}});
  b.select(2);
  b.jump({3, {b.constant(c.width, 0)}});
  b.select(3);
  b.return_values(std::array{joined});
  Program program;
  program.layout.triple = triple;
  program.functions.push_back(b.finish());
  std::vector<BitVector> results;
  const auto plans = instrument::plan_regions(program, 0, {});
  if (plans.empty()) return results;
  term::TermStore store;
  concolic::RegionTemplate region(program, plans[0], store);
  for (const std::vector<BitVector>& list : lists) {
    concolic::RegionVisit visit;
    for (const ValueId in : plans[0].ins)
      visit.ins.push_back(
          in == choice ? store.boolean(true)
                       : store.constant(list[static_cast<std::size_t>(std::ranges::find(given, in) - given.begin())]));
    region.instantiate(visit);
    results.push_back(store.value(region.outs(0).values[0]));
  }
  return results;
}

class FloatAgreement : public testing::TestWithParam<int> {};

TEST_P(FloatAgreement, OfInterpreterRegionsUnrollAndFlattenOnNumbersOfEveryKind) {
  const auto op = static_cast<FloatOp>(GetParam());
  for (const Case& c : cases_of(op)) {
    std::vector<std::vector<BitVector>> lists = {{}};
    for (unsigned i = 0; i < program::arity(op); ++i) {
      std::vector<std::vector<BitVector>> longer;
      for (const std::vector<BitVector>& list : lists)
        for (const BitVector& number : numbers(c.from)) {
          longer.push_back(list);
          longer.back().push_back(i < 2 ? number : numbers(c.from)[4]);
          if (i == 2) break;
        }
      lists = std::move(longer);
    }
    const std::vector<BitVector> made = in_region(c, lists);
    EXPECT_EQ(made.empty(), c.is_gap_of(Engine::Regions)) << c.text();
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const Subject subject(c, lists[i]);
      ASSERT_TRUE(is_right_interpreted(subject, lists[i])) << c.text();
      if (!made.empty()) ASSERT_EQ(made[i], value(c, lists[i])) << c.text() << " in a region";
      const std::optional<bool> graph = is_right_flattened(subject, lists[i]);
      ASSERT_EQ(!graph, c.is_gap_of(Engine::Flatten)) << c.text();
      if (graph) ASSERT_TRUE(*graph) << c.text() << " flattened";
      if (c.is_gap_of(Engine::Unroll) && i > 0) continue;
      const unroll::GoalResult unrolled = unroll::unroll(subject.program, subject.goals, {}, {}).answers[0];
      ASSERT_EQ(!unrolled.gaps.empty(), c.is_gap_of(Engine::Unroll)) << c.text();
      ASSERT_TRUE(result::is_proof(unrolled.verdict)) << c.text() << " unrolled";
    }
  }
}

TEST(FloatAgreementCases, GrowWiderInRegionsWhereTheMachineKeepsNansAlone) {
  const Case c{FloatOp::Convert, 32, 64};
  for (const program::Target& target : program::targets())
    EXPECT_EQ(in_region(c, {{BitVector(32, 0)}}, target.prefix).empty(), target.prefix.starts_with("riscv"))
        << target.prefix;
  EXPECT_TRUE(in_region(c, {{BitVector(32, 0)}}, "mips").empty());
}

INSTANTIATE_TEST_SUITE_P(All, FloatAgreement, testing::Range(0, program::kFloatOpCount), [](const auto& parameter) {
  std::string text(name(static_cast<FloatOp>(parameter.param)));
  std::ranges::replace(text, '-', '_');
  return text;
});

}  // namespace
}  // namespace plumb::check::agreement
