#include "lang/tiny/rho/predicates.h"

#include <algorithm>
#include <map>

#include "lang/tiny/rho/quantifiers.h"

namespace plumb::tiny {
namespace {

const Expression& expression_of(const Function& predicate) {
  const Statement* body = predicate.body.get();
  while (body->kind == Statement::Kind::Block) body = body->body.front().get();
  INVARIANT(body->kind == Statement::Kind::Return && body->value, "a predicate's body should be one return");
  return *body->value;
}

bool is_atom(const Expression& e) {
  return e.kind == Expression::Kind::Number || e.kind == Expression::Kind::Boolean ||
         e.kind == Expression::Kind::Name || e.kind == Expression::Kind::MaxArraySize;
}

bool calls_functions(const Program& program, const Expression& expression) {
  bool found = false;
  for_each_expression(expression, [&](const Expression& e) {
    if (e.kind != Expression::Kind::Call || found) return;
    const Function& callee = program.functions[e.function];
    found = !callee.is_predicate || calls_functions(program, expression_of(callee));
  });
  return found;
}

void refuse_nondet(const Program& program, const Expression& expression) {
  for_each_expression(expression, [&](const Expression& e) {
    if (e.kind != Expression::Kind::Nondet) return;
    throw Unsupported(program.location(e.place), "nondet() in a named predicate",
                      "take the value before and pass it as an argument");
  });
}

/// A bound of a quantifier is exact up to the first operator that is not +, - or *, and a number behind a minus sign is
/// a literal; an argument is a word, so it must not become part of either.
ExpressionPtr as_word(ExpressionPtr argument) {
  const Place place = argument->place;
  return make_binary(Operator::BitOr, std::move(argument), make_number(0), place);
}

class Substitution {
 public:
  Substitution(const Function& predicate, const Expression& call) {
    for (std::size_t i = 0; i < predicate.parameters.size(); ++i) {
      arguments_[predicate.parameters[i]] = call.operands[i].get();
    }
  }

  enum class Under : std::uint8_t { Nothing, Bound, Minus };

  void apply(ExpressionPtr& e, Under under) const {
    for (std::size_t i = 0; i < e->operands.size(); ++i) {
      Under below = under == Under::Bound ? Under::Bound : Under::Nothing;
      if (e->kind == Expression::Kind::Quantified) below = i < 2 ? Under::Bound : Under::Nothing;
      if (e->kind == Expression::Kind::Unary && e->op == Operator::Negate && below == Under::Nothing)
        below = Under::Minus;
      apply(e->operands[i], below);
    }
    if (e->kind != Expression::Kind::Name && e->kind != Expression::Kind::Index) return;
    const auto found = arguments_.find(e->variable);
    if (found == arguments_.end()) return;
    if (e->kind == Expression::Kind::Index) {
      e->variable = found->second->variable;
      e->name = found->second->name;
      return;
    }
    ExpressionPtr argument = clone(*found->second);
    const bool is_number =
        argument->kind == Expression::Kind::Number || argument->kind == Expression::Kind::MaxArraySize;
    const bool becomes_more = (under == Under::Bound && argument->type == Type::Int && !is_atom(*argument)) ||
                              (under == Under::Minus && is_number);
    e = becomes_more ? as_word(std::move(argument)) : std::move(argument);
  }

 private:
  std::map<VariableId, const Expression*> arguments_;
};

bool is_replaceable(const Program& program, const Options& options, Mode mode, const Expression& argument) {
  if (is_atom(argument) && !may_fail(program, options, argument, mode)) return true;
  bool plain = true;
  for_each_expression(argument, [&](const Expression& e) {
    plain = plain && e.kind != Expression::Kind::Nondet && e.kind != Expression::Kind::Call &&
            e.kind != Expression::Kind::Quantified;
  });
  return plain && !may_fail(program, options, argument, mode);
}

}  // namespace

ExpressionPtr predicate_body(const Program& program, const Options& options, Mode mode, const Expression& call) {
  const Function& predicate = program.functions[call.function];
  const Expression& body = expression_of(predicate);
  refuse_nondet(program, body);
  ExpressionPtr result = clone(body);
  Substitution(predicate, call).apply(result, Substitution::Under::Nothing);
  expand_predicates(program, options, mode, result);
  return result;
}

void expand_predicates(const Program& program, const Options& options, Mode mode, ExpressionPtr& expression) {
  rewrite(expression, [&](ExpressionPtr& e) {
    if (e->kind != Expression::Kind::Call) return;
    const Function& callee = program.functions[e->function];
    if (!callee.is_predicate || calls_functions(program, expression_of(callee))) return;
    const bool replaceable = std::all_of(e->operands.begin(), e->operands.end(), [&](const ExpressionPtr& argument) {
      return is_replaceable(program, options, mode, *argument);
    });
    if (replaceable) e = predicate_body(program, options, mode, *e);
  });
}

}  // namespace plumb::tiny
