#include "lang/bip/encode/symbolic.h"

#include <gtest/gtest.h>

#include "models.h"
#include "term/evaluator.h"

namespace plumb::bip {
namespace {

constexpr std::uint32_t kBits = 4;

ExpressionPtr name(VariableId variable, Type type) {
  auto expression = std::make_unique<Expression>();
  expression->kind = Expression::Kind::Name;
  expression->variable = variable;
  expression->type = type;
  return expression;
}

ExpressionPtr apply(Operator op, ExpressionPtr a, ExpressionPtr b = nullptr, ExpressionPtr c = nullptr) {
  auto expression = std::make_unique<Expression>();
  expression->kind = c ? Expression::Kind::Conditional : b ? Expression::Kind::Binary : Expression::Kind::Unary;
  expression->op = op;
  for (ExpressionPtr* operand : {&a, &b, &c})
    if (*operand) expression->operands.push_back(std::move(*operand));
  return expression;
}

/// Two ints and two bools.
Model variables() {
  Model model;
  model.bits = kBits;
  for (const Type type : {Type::Int, Type::Int, Type::Bool, Type::Bool}) model.variables.push_back({"", type, {}, 0});
  return model;
}

void expect_same(const Expression& expression) {
  const Model model = variables();
  const Values first = {-8, -8, 0, 0};
  const Values last = {7, 7, 1, 1};
  Values values = first;
  for (std::size_t i = 0; i < values.size();) {
    TermStore store;
    std::vector<Term> base;
    for (std::size_t v = 0; v < values.size(); ++v)
      base.push_back(store.constant(v < 2 ? kBits : 1, static_cast<std::uint64_t>(values[v])));
    const Term term = Symbolic(store, model, base).evaluate(expression);
    ASSERT_TRUE(store.is_constant(term));
    const std::int64_t expected = evaluate(expression, values, kBits);
    ASSERT_EQ(store.value(term), BitVector(store.width(term), static_cast<std::uint64_t>(expected)))
        << "operator " << static_cast<int>(expression.op) << " on " << values[0] << ", " << values[1] << ", "
        << values[2] << ", " << values[3];
    for (i = 0; i < values.size(); ++i) {
      if (values[i] < last[i]) {
        ++values[i];
        break;
      }
      values[i] = first[i];
    }
  }
}

TEST(Symbolic, EveryOperatorAgreesWithEvaluateOnAllValues) {
  for (auto op = static_cast<int>(Operator::Add); op <= static_cast<int>(Operator::NotEqual); ++op)
    expect_same(*apply(static_cast<Operator>(op), name(0, Type::Int), name(1, Type::Int)));
  for (const Operator op : {Operator::And, Operator::Or, Operator::Implies, Operator::Equal, Operator::NotEqual})
    expect_same(*apply(op, name(2, Type::Bool), name(3, Type::Bool)));
  expect_same(*apply(Operator::Negate, name(0, Type::Int)));
  expect_same(*apply(Operator::Complement, name(0, Type::Int)));
  expect_same(*apply(Operator::Not, name(2, Type::Bool)));
  expect_same(*apply(Operator::Add, name(2, Type::Bool), name(0, Type::Int), name(1, Type::Int)));
}

TEST(Symbolic, OperatorsOnVariablesAgreeWithThoseOnConstants) {
  const Model model = variables();
  for (auto op = static_cast<int>(Operator::Add); op <= static_cast<int>(Operator::NotEqual); ++op) {
    TermStore store;
    const std::vector<Term> base = {store.variable(kBits, "a"), store.variable(kBits, "b")};
    const ExpressionPtr expression = apply(static_cast<Operator>(op), name(0, Type::Int), name(1, Type::Int));
    const Term term = Symbolic(store, model, base).evaluate(*expression);
    for (std::int64_t a = -8; a < 8; ++a)
      for (std::int64_t b = -8; b < 8; ++b) {
        const term::Assignment values = {{base[0], BitVector(kBits, static_cast<std::uint64_t>(a))},
                                         {base[1], BitVector(kBits, static_cast<std::uint64_t>(b))}};
        const std::int64_t expected = evaluate(*expression, Values{a, b}, kBits);
        ASSERT_EQ(term::Evaluator(store, values).bits(term),
                  BitVector(store.width(term), static_cast<std::uint64_t>(expected)))
            << "operator " << op << " on " << a << ", " << b;
      }
  }
}

/// The action of a transition of a model whose atom has ints x, y and a bool b.
Model with_action(const std::string& action) {
  return models::read(
      "package p\n  port type Sync()\n  atom type A()\n    data int x, y\n    data bool b\n    port Sync s()\n"
      "    place S\n    initial to S\n    on s from S to S do { " +
          action +
          " }\n  end\n"
          "  compound type Top()\n    component A a()\n  end\nend\n",
      kBits);
}

TEST(Symbolic, BranchesAreMergedAsTheyAreExecuted) {
  for (const std::string action :
       {"if (b) { x = y; } else { y = x + 1; }", "x = 1; if (x < y) { x = 2; if (b) { y = x; b = false; } } y = y + x;",
        "if (b) { if (x == y) { x = 3; } else { x = y; y = 0; } b = x > 0; }", "if (true) { x = y; } else { y = x; }",
        "if (x > 0) { } else { x = 0 - x; } if (x > y) { y = x; }"}) {
    const Model model = with_action(action);
    const Block& block = model.components[0].transitions[0].action;
    for (std::int64_t x = -8; x < 8; ++x)
      for (std::int64_t y = -8; y < 8; ++y)
        for (std::int64_t b = 0; b < 2; ++b) {
          TermStore store;
          const std::vector<Term> base = {store.variable(kBits, "x"), store.variable(kBits, "y"),
                                          store.variable(1, "b")};
          Symbolic symbolic(store, model, base);
          symbolic.execute(block);
          Values values = {x, y, b};
          const term::Assignment assignment = {{base[0], BitVector(kBits, static_cast<std::uint64_t>(x))},
                                               {base[1], BitVector(kBits, static_cast<std::uint64_t>(y))},
                                               {base[2], BitVector(1, static_cast<std::uint64_t>(b))}};
          execute(block, values, kBits);
          for (VariableId v = 0; v < 3; ++v)
            ASSERT_EQ(term::Evaluator(store, assignment).bits(symbolic.value(v)),
                      BitVector(v < 2 ? kBits : 1, static_cast<std::uint64_t>(values[v])))
                << action;
        }
  }
}

}  // namespace
}  // namespace plumb::bip
