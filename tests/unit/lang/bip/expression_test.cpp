#include "lang/bip/expression.h"

#include <gtest/gtest.h>

#include <random>

#include "lang/bip/syntax/expression_parser.h"

namespace plumb::bip {
namespace {

using Kind = Expression::Kind;

ExpressionPtr parse(const std::string& text) {
  Tokens tokens(text, "e");
  ExpressionParser parser(tokens, ExpressionParser::Implication::Allowed);
  ExpressionPtr result = parser.expression();
  if (!tokens.is_at_end()) tokens.fail_expected("the end");
  return result;
}

bool same(const Expression& a, const Expression& b) {
  if (a.kind != b.kind || a.operands.size() != b.operands.size()) return false;
  switch (a.kind) {
    case Kind::Number:
    case Kind::Boolean:
      if (a.number != b.number) return false;
      break;
    case Kind::Name:
      if (a.name != b.name) return false;
      break;
    case Kind::Unary:
    case Kind::Binary:
      if (a.op != b.op) return false;
      break;
    case Kind::Conditional:
      break;
  }
  for (std::size_t i = 0; i < a.operands.size(); ++i)
    if (!same(*a.operands[i], *b.operands[i])) return false;
  return true;
}

ExpressionPtr number(std::int64_t value) {
  auto result = std::make_unique<Expression>();
  result->number = value;
  return result;
}

ExpressionPtr variable(const std::string& name, VariableId id) {
  auto result = std::make_unique<Expression>();
  result->kind = Kind::Name;
  result->name = name;
  result->variable = id;
  return result;
}

template <typename... Operands>
ExpressionPtr node(Kind kind, Operator op, Operands... operands) {
  auto result = std::make_unique<Expression>();
  result->kind = kind;
  result->op = op;
  (result->operands.push_back(std::move(operands)), ...);
  return result;
}

/// Any tree that the parser can make; types do not matter to it.
class RandomTrees {
 public:
  ExpressionPtr make(unsigned depth) {
    const unsigned choice = depth == 0 ? pick(3) : pick(12);
    if (choice == 0) return number(static_cast<std::int64_t>(pick(20)) - 10);
    if (choice == 1) return variable(pick(2) == 0 ? "x" : "a.v", 0);
    if (choice == 2) {
      ExpressionPtr result = number(pick(2));
      result->kind = Kind::Boolean;
      return result;
    }
    if (choice < 5) return node(Kind::Unary, static_cast<Operator>(pick(3)), make(depth - 1));
    if (choice == 5) return node(Kind::Conditional, Operator::Add, make(depth - 1), make(depth - 1), make(depth - 1));
    const auto first = static_cast<unsigned>(Operator::Add);
    const auto count = static_cast<unsigned>(Operator::Implies) - first + 1;
    return node(Kind::Binary, static_cast<Operator>(first + pick(count)), make(depth - 1), make(depth - 1));
  }

  unsigned pick(unsigned count) { return std::uniform_int_distribution<unsigned>(0, count - 1)(random_); }

 private:
  std::mt19937 random_{7};
};

TEST(BipExpression, WhatIsPrintedIsParsedToTheSameTree) {
  RandomTrees trees;
  for (int i = 0; i < 5000; ++i) {
    const ExpressionPtr tree = trees.make(trees.pick(6));
    const std::string text = to_text(*tree);
    ASSERT_TRUE(same(*parse(text), *tree)) << text;
  }
}

TEST(BipExpression, NoParenthesesArePrintedThatCouldBeLeftOut) {
  RandomTrees trees;
  for (int i = 0; i < 1000; ++i) {
    const ExpressionPtr tree = trees.make(4);
    const std::string text = to_text(*tree);
    std::vector<std::size_t> open;
    for (std::size_t j = 0; j < text.size(); ++j) {
      if (text[j] == '(') open.push_back(j);
      if (text[j] != ')') continue;
      const std::string less =
          text.substr(0, open.back()) + text.substr(open.back() + 1, j - open.back() - 1) + text.substr(j + 1);
      open.pop_back();
      try {
        EXPECT_FALSE(same(*parse(less), *tree)) << text << " and " << less;
      } catch (const UserError&) {
        continue;  // `--x`, `!a = b` and the like
      }
    }
  }
}

TEST(BipExpression, ACloneIsTheSameAndApart) {
  RandomTrees trees;
  for (int i = 0; i < 200; ++i) {
    const ExpressionPtr tree = trees.make(4);
    tree->place = {3, 4};
    tree->type = Type::Bool;
    tree->variable = 5;
    const ExpressionPtr copy = clone(*tree);
    EXPECT_TRUE(same(*copy, *tree));
    EXPECT_EQ(copy->place, tree->place);
    EXPECT_EQ(copy->type, Type::Bool);
    EXPECT_EQ(copy->variable, 5U);
    copy->kind = copy->kind == Kind::Name ? Kind::Number : Kind::Name;
    EXPECT_FALSE(same(*copy, *tree));
  }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wbool-operation"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#define EXPECT_AS_IN_C(expression) \
  EXPECT_EQ(evaluate(*parse(#expression), {}, 62), static_cast<std::int64_t>(expression)) << #expression

TEST(BipExpression, PrecedencesAreThoseOfC) {
  EXPECT_AS_IN_C(2 + 3 * 4);
  EXPECT_AS_IN_C(20 - 7 - 4);
  EXPECT_AS_IN_C(100 / 7 / 2 * 3 % 5);
  EXPECT_AS_IN_C(2 * 7 % 4 + 1);
  EXPECT_AS_IN_C(1 + 2 << 3 - 1);
  EXPECT_AS_IN_C(1 << 2 << 3);
  EXPECT_AS_IN_C(256 >> 2 >> 1 + 1);
  EXPECT_AS_IN_C(1 << 3 < 9);
  EXPECT_AS_IN_C(3 < 2 < 1);
  EXPECT_AS_IN_C(5 > 3 == 1 >= 1);
  EXPECT_AS_IN_C(2 == 2 != 0);
  EXPECT_AS_IN_C(7 != 3 < 4);
  EXPECT_AS_IN_C(6 & 3 == 3);
  EXPECT_AS_IN_C(4 | 2 & 3);
  EXPECT_AS_IN_C(4 | 6 ^ 3);
  EXPECT_AS_IN_C(12 ^ 10 & 6);
  EXPECT_AS_IN_C(1 ^ 3 ^ 7 | 8 | 16);
  EXPECT_AS_IN_C(1 == 1 || 1 == 2 && 1 == 2);
  EXPECT_AS_IN_C(1 == 2 && 1 == 2 || 1 == 1);
  EXPECT_AS_IN_C(1 == 2 ? 3 : 1 == 1 ? 4 : 5);
  EXPECT_AS_IN_C(1 == 1 ? 1 == 2 ? 3 : 4 : 5);
  EXPECT_AS_IN_C(1 == 1 || 1 == 1 ? 2 + 1 : 4);
  EXPECT_AS_IN_C(-3 + 5);
  EXPECT_AS_IN_C(~5 + 1);
  EXPECT_AS_IN_C(-~5 * 2);
  EXPECT_AS_IN_C(!(1 == 2) == (1 == 1));
  EXPECT_AS_IN_C(- -7 - -2);
  EXPECT_AS_IN_C(-7 / 2 * 10 + -7 % 4);
  EXPECT_AS_IN_C(0x1F & 0xc | 0X100);
}
#pragma GCC diagnostic pop

TEST(BipExpression, AnImplicationGroupsToTheRightBetweenOrAndTheConditional) {
  EXPECT_TRUE(same(*parse("a => b => c"), *parse("a => (b => c)")));
  EXPECT_FALSE(same(*parse("a => b => c"), *parse("(a => b) => c")));
  EXPECT_TRUE(same(*parse("a || b => c || d"), *parse("(a || b) => (c || d)")));
  EXPECT_TRUE(same(*parse("a => b ? c : d => e"), *parse("(a => b) ? c : (d => e)")));
  EXPECT_EQ(evaluate(*parse("false => false"), {}, 8), 1);
  EXPECT_EQ(evaluate(*parse("true => false"), {}, 8), 0);
}

using Wide = __int128;

/// The number between -2^(bits - 1) and 2^(bits - 1) - 1 that differs by a multiple of 2^bits.
std::int64_t reduced(Wide value, std::uint32_t bits) {
  const Wide size = Wide{1} << bits;
  Wide rest = value % size;
  if (rest < 0) rest += size;
  return static_cast<std::int64_t>(rest >= size / 2 ? rest - size : rest);
}

/// By the contract, without any of the operations under test where they could wrap.
std::int64_t reference(Operator op, Wide a, Wide b, std::uint32_t bits) {
  const Wide amount = b < 0 ? b + (Wide{1} << bits) : b;
  switch (op) {
    case Operator::Add:
      return reduced(a + b, bits);
    case Operator::Subtract:
      return reduced(a - b, bits);
    case Operator::Multiply:
      return reduced(a * b, bits);
    case Operator::Divide:
      return b == 0 ? 0 : reduced(a / b, bits);
    case Operator::Remainder:
      return static_cast<std::int64_t>(b == 0 ? a : a - a / b * b);
    case Operator::ShiftLeft:
      return amount >= bits ? 0 : reduced(a * (Wide{1} << static_cast<unsigned>(amount)), bits);
    case Operator::ShiftRight: {
      if (amount >= bits) return a < 0 ? -1 : 0;
      const Wide divisor = Wide{1} << static_cast<unsigned>(amount);
      return static_cast<std::int64_t>(a < 0 ? -((-a + divisor - 1) / divisor) : a / divisor);
    }
    case Operator::Less:
      return a < b ? 1 : 0;
    case Operator::LessEqual:
      return a < b || a == b ? 1 : 0;
    case Operator::Greater:
      return b < a ? 1 : 0;
    case Operator::GreaterEqual:
      return a < b ? 0 : 1;
    case Operator::Equal:
      return a == b ? 1 : 0;
    case Operator::NotEqual:
      return a == b ? 0 : 1;
    default:
      break;
  }
  Wide result = 0;  // bit by bit
  for (std::uint32_t i = 0; i < bits; ++i) {
    const bool x = ((a + (Wide{1} << 100)) >> i) % 2 != 0;
    const bool y = ((b + (Wide{1} << 100)) >> i) % 2 != 0;
    const bool bit = op == Operator::BitAnd ? x && y : op == Operator::BitOr ? x || y : x != y;
    if (bit) result += Wide{1} << i;
  }
  return reduced(result, bits);
}

void expect_all_operators(std::int64_t a, std::int64_t b, std::uint32_t bits) {
  const Values values{a, b};
  for (int i = static_cast<int>(Operator::Add); i <= static_cast<int>(Operator::NotEqual); ++i) {
    const auto op = static_cast<Operator>(i);
    const ExpressionPtr e = node(Kind::Binary, op, variable("a", 0), variable("b", 1));
    ASSERT_EQ(evaluate(*e, values, bits), reference(op, a, b, bits))
        << a << ' ' << symbol(op) << ' ' << b << ", " << bits;
  }
  ASSERT_EQ(evaluate(*node(Kind::Unary, Operator::Negate, variable("a", 0)), values, bits), reduced(-Wide{a}, bits));
  ASSERT_EQ(evaluate(*node(Kind::Unary, Operator::Complement, variable("a", 0)), values, bits),
            reduced(-Wide{a} - 1, bits));
}

TEST(BipExpression, EvaluatesAllValuesOfSmallWidthsAsArithmeticModulo) {
  for (std::uint32_t bits = 2; bits <= 5; ++bits) {
    const std::int64_t half = std::int64_t{1} << (bits - 1);
    for (std::int64_t a = -half; a < half; ++a)
      for (std::int64_t b = -half; b < half; ++b) expect_all_operators(a, b, bits);
  }
}

TEST(BipExpression, EvaluatesLargeWidthsAsArithmeticModulo) {
  std::mt19937_64 random(3);
  for (std::uint32_t bits = 6; bits <= 62; ++bits) {
    const std::int64_t half = std::int64_t{1} << (bits - 1);
    const std::vector<std::int64_t> corners{-half, -half + 1, -1, 0, 1, 2, bits - 1, bits, half - 1};
    for (const std::int64_t a : corners)
      for (const std::int64_t b : corners)
        if (a < half && b < half) expect_all_operators(a, b, bits);
    for (int i = 0; i < 20; ++i)
      expect_all_operators(reduced(static_cast<std::int64_t>(random()), bits),
                           reduced(static_cast<std::int64_t>(random()), bits), bits);
  }
}

TEST(BipExpression, BoolsAreOneOrZero) {
  for (const std::int64_t a : {0, 1})
    for (const std::int64_t b : {0, 1}) {
      const Values values{a, b};
      const auto value = [&](Operator op) {
        return evaluate(*node(Kind::Binary, op, variable("a", 0), variable("b", 1)), values, 8);
      };
      EXPECT_EQ(value(Operator::And), a * b);
      EXPECT_EQ(value(Operator::Or), a + b - a * b);
      EXPECT_EQ(value(Operator::Implies), 1 - a + a * b);
      EXPECT_EQ(evaluate(*node(Kind::Unary, Operator::Not, variable("a", 0)), values, 8), 1 - a);
    }
}

StatementPtr assign(ExpressionPtr target, ExpressionPtr value) {
  auto result = std::make_unique<Statement>();
  result->target = std::move(target);
  result->value = std::move(value);
  return result;
}

Block swap_if_less() {
  // t = a; if (a < b) { a = b; b = t; } else { t = 0; }
  auto choice = std::make_unique<Statement>();
  choice->kind = Statement::Kind::If;
  choice->value = node(Kind::Binary, Operator::Less, variable("a", 0), variable("b", 1));
  choice->then_branch.push_back(assign(variable("a", 0), variable("b", 1)));
  choice->then_branch.push_back(assign(variable("b", 1), variable("t", 2)));
  choice->else_branch.push_back(assign(variable("t", 2), number(0)));
  Block block;
  block.push_back(assign(variable("t", 2), variable("a", 0)));
  block.push_back(std::move(choice));
  return block;
}

TEST(BipExpression, StatementsAreExecutedInOrder) {
  Values values{3, 7, 0};
  const Block block = clone(swap_if_less());
  execute(block, values, 8);
  EXPECT_EQ(values, (Values{7, 3, 3}));
  execute(block, values, 8);
  EXPECT_EQ(values, (Values{7, 3, 0}));
}

TEST(BipExpression, BlocksArePrintedOnOneLine) {
  EXPECT_EQ(to_text(swap_if_less()), "t = a; if (a < b) { a = b; b = t; } else { t = 0; }");
  EXPECT_EQ(to_text(Block{}), "");
}

TEST(BipExpression, ANumberThatIsNoIntIsNotWrapped) { EXPECT_EQ(evaluate(*number(130), {}, 2), 130); }

}  // namespace
}  // namespace plumb::bip
