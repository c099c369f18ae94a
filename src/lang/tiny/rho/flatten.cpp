// The part of rho that works on expressions (section 3.3.1 of the {P}S{Q} paper): calls go out of expressions into
// `parameters := arguments; call_func(f); target := ret(f)` (3.1), with the stack pointer around it where the call is
// recursive (3.2, 3.3), and quantifiers become loops (3.4, Fig. 3.4). The paper defines this for `target := f(...)`;
// inside larger expressions evaluation goes from left to right, what was read before a call is kept in a temporary, and
// what may not be evaluated (the right sides of && || -> ?:) becomes an if.
#include "lang/tiny/rho/flatten.h"

#include <algorithm>
#include <utility>

#include "lang/tiny/rho/predicates.h"
#include "lang/tiny/rho/quantifiers.h"

namespace plumb::tiny {
namespace {

bool is_connective(const Expression& e) {
  return e.kind == Expression::Kind::Binary &&
         (e.op == Operator::And || e.op == Operator::Or || e.op == Operator::Implies);
}

}  // namespace

bool Flattener::is_unrolled(const Expression& quantified) const {
  return context_.options.unroll_quantifiers &&
         unrolled_size(context_.program, context_.options, quantified, mode_).has_value();
}

bool Flattener::needs_statements(const Expression& e) const {
  if (e.kind == Expression::Kind::Call) return true;
  if (e.kind == Expression::Kind::Quantified && !is_unrolled(e)) return true;
  if (is_connective(e) && needs_control(*e.operands[1])) return true;
  if (e.kind == Expression::Kind::Conditional && (needs_control(*e.operands[1]) || needs_control(*e.operands[2]))) {
    return true;
  }
  // An unrolled body has nothing that needs a statement.
  const std::size_t count = e.kind == Expression::Kind::Quantified ? 2 : e.operands.size();
  return std::any_of(e.operands.begin(), e.operands.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](const ExpressionPtr& operand) { return needs_statements(*operand); });
}

bool Flattener::needs_control(const Expression& e) const {
  return needs_statements(e) || has_choice(context_.program, e);
}

void Flattener::resolve(ExpressionPtr& e) const {
  rewrite(e, [&](ExpressionPtr& part) {
    if (part->kind != Expression::Kind::Name && part->kind != Expression::Kind::Index) return;
    const VariableId base = context_.arrays.same_as[part->variable];
    if (base == part->variable) return;
    part->variable = base;
    part->name = context_.program.variables[base].name;
  });
  expand_predicates(context_.program, context_.options, mode_, e);
}

VariableId Flattener::temporary(Type type, const std::string& name) {
  return add_variable(program(), function_, name, type);
}

ExpressionPtr Flattener::save(ExpressionPtr e, Statements& out) {
  const auto is_stable = [&](const Expression& part) {
    switch (part.kind) {
      case Expression::Kind::Number:
      case Expression::Kind::Boolean:
      case Expression::Kind::MaxArraySize:
        return true;
      case Expression::Kind::Name: {
        const Variable& v = program().variables[part.variable];
        // A callee's return variable is that of its last call.
        return v.kind == Variable::Kind::Constant ||
               (!v.is_array() && v.kind != Variable::Kind::Wire && v.function == function_);
      }
      default:
        return false;
    }
  };
  if (is_stable(*e)) return e;
  const VariableId t = temporary(e->type, "t");
  const Place place = e->place;
  out.push_back(make_assign(make_name(program(), t), std::move(e), place));
  return make_name(program(), t, place);
}

void Flattener::flatten_operands(Expression& e, Statements& out) {
  const std::size_t count = e.kind == Expression::Kind::Quantified ? 2 : e.operands.size();
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_array_name =
        e.operands[i]->kind == Expression::Kind::Name && program().variables[e.operands[i]->variable].is_array();
    if (is_array_name) continue;
    e.operands[i] = flatten(std::move(e.operands[i]), out);
    const bool rest = std::any_of(e.operands.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                  e.operands.begin() + static_cast<std::ptrdiff_t>(count),
                                  [&](const ExpressionPtr& operand) { return needs_statements(*operand); });
    if (rest) e.operands[i] = save(std::move(e.operands[i]), out);
  }
}

ExpressionPtr Flattener::flatten(ExpressionPtr e, Statements& out) {
  if (!needs_statements(*e)) return e;
  if (e->kind == Expression::Kind::Call) {
    if (program().functions[e->function].is_predicate) return flatten_predicate(std::move(e), out);
    return flatten_call(*e, out);
  }
  if (e->kind == Expression::Kind::Quantified) {
    flatten_operands(*e, out);
    if (is_unrolled(*e)) return e;
    return flatten_quantifier(std::move(e), out);
  }
  if (is_connective(*e) && needs_control(*e->operands[1])) return flatten_connective(std::move(e), out);
  if (e->kind == Expression::Kind::Conditional && (needs_control(*e->operands[1]) || needs_control(*e->operands[2]))) {
    return flatten_conditional(std::move(e), out);
  }
  flatten_operands(*e, out);
  return e;
}

void Flattener::assign(ExpressionPtr target, ExpressionPtr e, Place place, Statements& out) {
  if (e->kind == Expression::Kind::Call && !program().functions[e->function].is_predicate) {
    ExpressionPtr result = flatten_call(*e, out);
    out.push_back(make_assign(std::move(target), std::move(result), place));
    return;
  }
  ExpressionPtr value = flatten(std::move(e), out);
  out.push_back(make_assign(std::move(target), std::move(value), place));
}

ExpressionPtr Flattener::flatten_connective(ExpressionPtr e, Statements& out) {
  const VariableId t = temporary(Type::Bool, "t");
  const Place place = e->place;
  ExpressionPtr left = std::move(e->operands[0]);
  if (e->op == Operator::Implies) left = make_not(std::move(left));
  assign(make_name(program(), t), std::move(left), place, out);
  Statements then_body;
  assign(make_name(program(), t), std::move(e->operands[1]), place, then_body);
  ExpressionPtr condition = make_name(program(), t, place);
  if (e->op != Operator::And) condition = make_not(std::move(condition));
  out.push_back(make_if(std::move(condition), std::move(then_body), {}, place));
  return make_name(program(), t, place);
}

ExpressionPtr Flattener::flatten_conditional(ExpressionPtr e, Statements& out) {
  const VariableId t = temporary(e->type, "t");
  const Place place = e->place;
  ExpressionPtr condition = flatten(std::move(e->operands[0]), out);
  Statements then_body;
  Statements else_body;
  assign(make_name(program(), t), std::move(e->operands[1]), place, then_body);
  assign(make_name(program(), t), std::move(e->operands[2]), place, else_body);
  out.push_back(make_if(std::move(condition), std::move(then_body), std::move(else_body), place));
  return make_name(program(), t, place);
}

ExpressionPtr Flattener::in_row_of(FunctionId callee, VariableId variable) const {
  const Program& p = context_.program;
  if (!context_.calls.is_recursive(callee) || context_.arrays.is_passed_on[variable]) return make_name(p, variable);
  std::vector<ExpressionPtr> row;
  if (context_.calls.is_same_recursion(callee, function_)) {
    const VariableId sp = context_.stack_pointers[context_.calls.component(callee)];
    row.push_back(make_binary(Operator::Add, make_name(p, sp), make_number(1)));
  } else {
    row.push_back(make_number(0));
  }
  return make_index(p, variable, std::move(row));
}

ExpressionPtr Flattener::flatten_call(Expression& call, Statements& out) {
  flatten_operands(call, out);
  const FunctionId callee = call.function;
  const std::vector<VariableId> parameters = program().functions[callee].parameters;
  Statements copies_out;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool is_array = program().variables[parameters[i]].is_array();
    if (is_array && !context_.arrays.is_copied[parameters[i]]) continue;
    if (is_array) {
      copies_out.push_back(make_assign(clone(*call.operands[i]), in_row_of(callee, parameters[i]), call.place));
    }
    out.push_back(make_assign(in_row_of(callee, parameters[i]), std::move(call.operands[i]), call.place));
  }
  const bool is_deeper = context_.calls.is_same_recursion(callee, function_);
  const VariableId sp = context_.stack_pointers[context_.calls.component(callee)];
  const auto move = [&](Operator op) {
    out.push_back(
        make_assign(make_name(program(), sp), make_binary(op, make_name(program(), sp), make_number(1)), call.place));
  };
  if (is_deeper) move(Operator::Add);
  StatementPtr jump = make_simple(Statement::Kind::CallFunction, call.place);
  jump->function = callee;
  jump->name = program().functions[callee].name;
  out.push_back(std::move(jump));
  if (is_deeper) move(Operator::Subtract);
  for (StatementPtr& s : copies_out) out.push_back(std::move(s));
  const VariableId result = program().functions[callee].return_variable;
  return result == kNone ? nullptr : in_row_of(callee, result);
}

ExpressionPtr Flattener::flatten_predicate(ExpressionPtr call, Statements& out) {
  flatten_operands(*call, out);
  for (ExpressionPtr& argument : call->operands) {
    if (argument->kind == Expression::Kind::Name && program().variables[argument->variable].is_array()) continue;
    const VariableId t = temporary(argument->type, "t");
    const Place place = argument->place;
    out.push_back(make_assign(make_name(program(), t), std::move(argument), place));
    argument = make_name(program(), t, place);
  }
  return flatten(predicate_body(program(), context_.options, mode_, *call), out);
}

ExpressionPtr Flattener::flatten_quantifier(ExpressionPtr e, Statements& out) {
  const Place place = e->place;
  const std::string word = e->is_forall ? "forall" : "exists";
  const VariableId result = add_variable(program(), function_, word + "::ret", Type::Bool);
  const VariableId loop = add_variable(program(), function_, word + "::" + program().variables[e->variable].name,
                                       Type::Int, Variable::Kind::Quantified);
  rewrite(e->operands[2], [&](ExpressionPtr& part) {
    if (part->kind == Expression::Kind::Name && part->variable == e->variable) {
      part = make_name(program(), loop, part->place);
    }
  });
  const auto name = [&](VariableId v) { return make_name(program(), v); };
  out.push_back(make_assign(name(result), make_boolean(e->is_forall), place));
  out.push_back(make_assign(name(loop), std::move(e->operands[0]), place));
  ExpressionPtr bound = std::move(e->operands[1]);
  const bool is_simple_body = !needs_control(*e->operands[2]);
  // The bounds are evaluated once; in the loop's condition, as in Fig. 3.4, only if nothing can tell the difference.
  if (!is_simple_body || has_choice(program(), *bound) || bound_may_fail(program(), context_.options, *bound, mode_)) {
    const VariableId high = add_variable(program(), function_, word + "::high", Type::Int, Variable::Kind::Quantified);
    out.push_back(make_assign(name(high), std::move(bound), place));
    bound = name(high);
  }
  Statements body;
  ExpressionPtr update = std::move(e->operands[2]);
  // The loop goes on only while the result is neutral, so an update that needs statements is the body alone.
  if (is_simple_body) {
    update = make_binary(e->is_forall ? Operator::And : Operator::Or, name(result), std::move(update), place);
  }
  assign(name(result), std::move(update), place, body);
  body.push_back(make_assign(name(loop), make_binary(Operator::Add, name(loop), make_number(1)), place));
  ExpressionPtr going_on = e->is_forall ? name(result) : make_not(name(result));
  StatementPtr loop_statement = make_simple(Statement::Kind::While, place);
  loop_statement->value = make_binary(Operator::And, make_binary(Operator::LessEqual, name(loop), std::move(bound)),
                                      std::move(going_on), place);
  loop_statement->body.push_back(make_block(std::move(body), place));
  out.push_back(std::move(loop_statement));
  return make_name(program(), result, place);
}

}  // namespace plumb::tiny
