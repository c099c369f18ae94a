#include "chain/machine.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <memory>
#include <random>

namespace plumb::chain {
namespace {

/// An expression as a tree, evaluated by walking it.
struct Tree {
  Op op = Op::Constant;
  Type type = Type::Int;
  Value constant{};
  std::uint32_t variable = 0;
  std::vector<std::unique_ptr<Tree>> operands;
};
using TreePtr = std::unique_ptr<Tree>;

Value walk(const Tree& tree, const std::vector<Value>& variables, Fault& fault) {
  if (tree.op == Op::Constant) return tree.constant;
  if (tree.op == Op::Variable) return variables[tree.variable];
  const Value first = walk(*tree.operands[0], variables, fault);
  if (tree.op == Op::And && first.integer == 0) return first;
  if (tree.op == Op::Or && first.integer != 0) return first;
  if (tree.op == Op::And || tree.op == Op::Or) return walk(*tree.operands[1], variables, fault);
  if (tree.op == Op::IfThenElse) return walk(*tree.operands[first.integer != 0 ? 1 : 2], variables, fault);
  const Value second = tree.operands.size() > 1 ? walk(*tree.operands[1], variables, fault) : first;
  return apply(tree.op, tree.operands[0]->type, first, second, fault);
}

Expression made(const Tree& tree, ExpressionPool& pool) {
  if (tree.op == Op::Variable) return pool.variable(tree.variable, tree.type);
  if (tree.op == Op::Constant)
    return tree.type == Type::Double ? pool.real(tree.constant.real)
           : tree.type == Type::Int  ? pool.integer(tree.constant.integer)
                                     : pool.boolean(tree.constant.integer != 0);
  std::array<Expression, 3> operands{};
  for (std::size_t i = 0; i < tree.operands.size(); ++i) operands[i] = made(*tree.operands[i], pool);
  return pool.make(tree.op, operands[0], operands[1], operands[2]);
}

constexpr std::uint32_t kInts = 3;
constexpr std::uint32_t kBools = 2;

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

  TreePtr tree(Type type, int depth) {
    if (depth == 0 || pick(8) == 0) return leaf(type);
    if (pick(6) == 0) return node(Op::IfThenElse, type, {{Type::Bool, type, type}}, depth);
    if (type == Type::Bool) {
      const Type compared = static_cast<Type>(pick(3));
      switch (pick(6)) {
        case 0:
          return node(Op::Not, type, {Type::Bool}, depth);
        case 1:
          return node(Op::And, type, {Type::Bool, Type::Bool}, depth);
        case 2:
          return node(Op::Or, type, {Type::Bool, Type::Bool}, depth);
        case 3:
          return node(Op::Equal, type, {compared, compared}, depth);
        case 4:
          return node(Op::Less, type, {number(compared), number(compared)}, depth);
        default:
          return node(Op::LessEqual, type, {number(compared), number(compared)}, depth);
      }
    }
    constexpr Op kIntOps[] = {Op::Add, Op::Subtract, Op::Multiply, Op::Min, Op::Max, Op::Modulo, Op::Power};
    constexpr Op kRealOps[] = {Op::Add, Op::Subtract, Op::Multiply, Op::Min, Op::Max, Op::Divide, Op::Power, Op::Log};
    constexpr Op kRounding[] = {Op::Floor, Op::Ceil, Op::Round};
    if (pick(8) == 0) return node(Op::Negate, type, {type}, depth);
    if (type == Type::Int && pick(6) == 0) return node(kRounding[pick(3)], type, {Type::Double}, depth);
    if (type == Type::Double && pick(4) == 0) return node(Op::ToDouble, type, {Type::Int}, depth);
    const Op op = type == Type::Int ? kIntOps[pick(std::size(kIntOps))] : kRealOps[pick(std::size(kRealOps))];
    return node(op, type, {type, type}, depth);
  }

  std::vector<Value> state() {
    std::vector<Value> values(kInts + kBools);
    for (std::uint32_t i = 0; i < kInts; ++i)
      values[i].integer = pick(50) == 0 ? (std::int64_t{1} << 62) : static_cast<int>(pick(9)) - 4;
    for (std::uint32_t i = 0; i < kBools; ++i) values[kInts + i].integer = pick(2);
    return values;
  }

 private:
  static Type number(Type type) { return type == Type::Bool ? Type::Int : type; }
  TreePtr leaf(Type type) {
    auto result = std::make_unique<Tree>();
    result->type = type;
    if (type != Type::Double && pick(3) != 0) {
      result->op = Op::Variable;
      result->variable = type == Type::Int ? pick(kInts) : kInts + pick(kBools);
    } else if (type == Type::Double) {
      result->constant.real = (static_cast<int>(pick(17)) - 8) / 2.0;
    } else {
      result->constant.integer = type == Type::Bool ? pick(2) : static_cast<int>(pick(7)) - 3;
    }
    return result;
  }
  TreePtr node(Op op, Type type, const std::vector<Type>& operands, int depth) {
    auto result = std::make_unique<Tree>();
    result->op = op;
    result->type = type;
    for (const Type operand : operands) result->operands.push_back(tree(operand, depth - 1));
    return result;
  }

  std::mt19937 random_;
};

bool same(Value a, Value b, Type type) {
  if (type != Type::Double) return a.integer == b.integer;
  return a.real == b.real || (std::isnan(a.real) && std::isnan(b.real));
}

TEST(Machine, AgreesWithWalkingTheTreeAndFaultsExactlyWhereItDoes) {
  std::size_t faults = 0;
  std::size_t values = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    Generator generator(seed);
    ExpressionPool pool;
    Machine machine(pool, kInts + kBools);
    std::vector<TreePtr> trees;
    std::vector<Machine::Handle> codes;
    for (int i = 0; i < 10; ++i) {  // of one machine, which shares slots among them
      trees.push_back(generator.tree(static_cast<Type>(generator.pick(3)), 5));
      codes.push_back(machine.compile(made(*trees.back(), pool)));
    }
    machine.finish();
    Machine::Frame frame = machine.frame();
    for (int round = 0; round < 20; ++round) {
      const std::vector<Value> state = generator.state();
      std::copy(state.begin(), state.end(), frame.slots.begin());
      for (std::size_t i = 0; i < trees.size(); ++i) {
        Fault expected_fault = Fault::None;
        const Value expected = walk(*trees[i], state, expected_fault);
        frame.fault = Fault::None;
        const Value found = machine.run(codes[i], frame);
        ASSERT_EQ(frame.fault != Fault::None, expected_fault != Fault::None) << "seed " << seed << " tree " << i;
        if (expected_fault == Fault::None) {
          ASSERT_TRUE(same(expected, found, trees[i]->type)) << "seed " << seed << " tree " << i;
        }
        ++(expected_fault == Fault::None ? values : faults);
      }
    }
  }
  EXPECT_GT(faults, 2000U);
  EXPECT_GT(values, 20000U);
}

TEST(Machine, DoesNotEvaluateWhatIsNotNeeded) {
  ExpressionPool pool;
  const Expression x = pool.variable(0, Type::Int);
  const Expression inverse = pool.make(Op::Divide, pool.real(1), pool.to_double(x));
  const Expression is_zero = pool.make(Op::Equal, x, pool.integer(0));
  const Expression large = pool.make(Op::Less, pool.real(0.5), inverse);
  Machine machine(pool, 1);
  const auto guarded = machine.compile(pool.make(Op::And, pool.make(Op::Not, is_zero), large));
  const auto either = machine.compile(pool.make(Op::Or, is_zero, large));
  const auto chosen = machine.compile(pool.make(Op::IfThenElse, is_zero, pool.real(7), inverse));
  const auto bare = machine.compile(large);
  machine.finish();
  Machine::Frame frame = machine.frame();
  frame.slots[0].integer = 0;
  EXPECT_EQ(machine.run(guarded, frame).integer, 0);
  EXPECT_EQ(machine.run(either, frame).integer, 1);
  EXPECT_EQ(machine.run(chosen, frame).real, 7);
  EXPECT_EQ(frame.fault, Fault::None);
  machine.run(bare, frame);
  EXPECT_EQ(frame.fault, Fault::DivisionByZero);
}

TEST(Machine, CompilesDeepExpressions) {
  ExpressionPool pool;
  Expression sum = pool.integer(0);
  for (int i = 0; i < 5000; ++i)
    sum = pool.make(Op::Add, sum, pool.make(Op::Multiply, pool.variable(0, Type::Int), pool.integer(i)));
  Machine machine(pool, 1);
  const auto code = machine.compile(sum);
  machine.finish();
  Machine::Frame frame = machine.frame();
  frame.slots[0].integer = 2;
  EXPECT_EQ(machine.run(code, frame).integer, 2LL * 4999 * 5000 / 2);
}

}  // namespace
}  // namespace plumb::chain
