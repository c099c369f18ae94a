// The part of rho that works on statements: contracts become x_P, x_Q and the assertion (equations 3.5, 3.6), and what
// the expressions of a statement need goes before it; in a loop's condition, into the loop.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/tiny/rho/flatten.h"

namespace plumb::tiny {

void Flattener::flatten_function() {
  Function& f = program().functions[function_];
  for_each_statement(*f.body, [&](const Statement& s) { pre_count_ += s.kind == Statement::Kind::Pre ? 1 : 0; });
  StatementPtr body = std::move(f.body);
  const std::size_t epilogue = epilogue_begin(*body);
  Statements out;
  start_preconditions(*body, out);
  for (std::size_t i = 0; i < epilogue; ++i) flatten(*body->body[i], out);
  // A postcondition at the end of an inner block is not one that every return leads to.
  if (!out.empty() && is_post_block(*out.back())) out.push_back(make_block({}, body->place));
  for (std::size_t i = epilogue; i < body->body.size(); ++i) flatten(*body->body[i], out);
  StatementPtr result = make_block(std::move(out), body->place);
  program().functions[function_].body = std::move(result);
}

VariableId Flattener::precondition(const std::string& name) {
  const auto found = std::find_if(preconditions_.begin(), preconditions_.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  if (found != preconditions_.end()) return found->second;
  const VariableId variable = add_variable(program(), function_, "pre_" + name, Type::Bool);
  preconditions_.emplace_back(name, variable);
  return variable;
}

void Flattener::start_preconditions(const Statement& body, Statements& out) {
  std::vector<const Statement*> hidden;
  bool is_straight = true;  // nothing up to here can look at x_P or leave
  for (const StatementPtr& part : body.body) {
    for_each_statement(*part, [&](const Statement& s) {
      if (s.kind == Statement::Kind::Return || s.kind == Statement::Kind::Post) is_straight = false;
      if (s.kind != Statement::Kind::Pre) return;
      precondition(s.name);
      if (!is_straight || &s != part.get()) hidden.push_back(&s);
    });
  }
  // x_P is true until its @pre is executed.
  for (const Statement* pre : hidden) {
    out.push_back(make_assign(make_name(program(), precondition(pre->name)), make_boolean(true), pre->place));
  }
}

StatementPtr Flattener::flatten_body(Statement& statement) {
  Statements out;
  flatten(statement, out);
  return make_block(std::move(out), statement.place);
}

void Flattener::flatten(Statement& s, Statements& out) {
  switch (s.kind) {
    case Statement::Kind::Block:
      // Variables are told apart by their positions, so blocks have no meaning any more.
      for (const StatementPtr& part : s.body) flatten(*part, out);
      return;
    case Statement::Kind::Declare:
      return flatten_declare(s, out);
    case Statement::Kind::Assign:
      return flatten_assign(s, out);
    case Statement::Kind::Call: {
      resolve(s.value);
      if (s.value->kind != Expression::Kind::Call || program().functions[s.value->function].is_predicate) {
        // The value is dropped, but its checks are made.
        assign(make_name(program(), temporary(s.value->type, "t")), std::move(s.value), s.place, out);
      } else {
        flatten_call(*s.value, out);
      }
      return;
    }
    case Statement::Kind::If:
      return flatten_if(s, out);
    case Statement::Kind::While:
    case Statement::Kind::DoWhile:
    case Statement::Kind::For:
      return flatten_loop(s, out);
    case Statement::Kind::Return:
      return flatten_return(s, out);
    case Statement::Kind::Together:
      return flatten_together(s, out);
    case Statement::Kind::Pre:
      return flatten_pre(s, out);
    case Statement::Kind::Post:
      return flatten_post(s, out);
    case Statement::Kind::Assert:
    case Statement::Kind::Assume: {
      resolve(s.value);
      StatementPtr copy = make_simple(s.kind, s.place);
      copy->name = s.name;
      copy->value = flatten(std::move(s.value), out);
      out.push_back(std::move(copy));
      return;
    }
    case Statement::Kind::Break:
    case Statement::Kind::Continue:
      out.push_back(make_simple(s.kind, s.place));
      return;
    case Statement::Kind::CallFunction:
      break;
  }
  INVARIANT(false, "rho should be applied once");
}

void Flattener::flatten_declare(Statement& s, Statements& out) {
  if (s.value) {
    resolve(s.value);
    assign(make_name(program(), s.variable, s.place), std::move(s.value), s.place, out);
    return;
  }
  const Variable& v = program().variables[s.variable];
  if (v.kind == Variable::Kind::Wire || v.kind == Variable::Kind::Constant) return;
  StatementPtr copy = make_simple(Statement::Kind::Declare, s.place);
  copy->variable = s.variable;
  copy->name = s.name;
  // What takes a value: in a recursion, the row of the activation.
  copy->target = make_name(program(), s.variable, s.place);
  out.push_back(std::move(copy));
}

void Flattener::flatten_assign(Statement& s, Statements& out) {
  resolve(s.target);
  resolve(s.value);
  flatten_operands(*s.target, out);
  if (needs_statements(*s.value)) {
    for (ExpressionPtr& index : s.target->operands) index = save(std::move(index), out);
  }
  assign(std::move(s.target), std::move(s.value), s.place, out);
}

void Flattener::flatten_if(Statement& s, Statements& out) {
  resolve(s.value);
  StatementPtr copy = make_simple(Statement::Kind::If, s.place);
  copy->value = flatten(std::move(s.value), out);
  for (const StatementPtr& part : s.body) copy->body.push_back(flatten_body(*part));
  out.push_back(std::move(copy));
}

void Flattener::flatten_loop(Statement& s, Statements& out) {
  StatementPtr copy = make_simple(s.kind, s.place);
  Statements before;
  if (s.value) {
    resolve(s.value);
    const Place place = s.value->place;
    const bool is_long = needs_statements(*s.value);
    copy->value = flatten(std::move(s.value), before);
    if (is_long) {
      Statements leave;
      leave.push_back(make_simple(Statement::Kind::Break, place));
      before.push_back(make_if(make_not(std::move(copy->value)), std::move(leave), {}, place));
      copy->value = make_boolean(true);
    }
  }
  if (s.kind == Statement::Kind::For) {
    copy->body.push_back(flatten_body(*s.body[0]));
    copy->body.push_back(flatten_body(*s.body[1]));
    flatten(*s.body[2], before);
    copy->body.push_back(make_block(std::move(before), s.place));
  } else if (s.kind == Statement::Kind::DoWhile && !before.empty()) {
    // What a do-while needs for its condition stands where `continue` leads to: in the step of a for.
    copy->kind = Statement::Kind::For;
    copy->body.push_back(make_block({}, s.place));
    copy->body.push_back(make_block(std::move(before), s.place));
    copy->body.push_back(flatten_body(*s.body[0]));
  } else {
    flatten(*s.body[0], before);
    copy->body.push_back(make_block(std::move(before), s.place));
  }
  out.push_back(std::move(copy));
}

void Flattener::flatten_together(Statement& s, Statements& out) {
  const auto check = [&](ExpressionPtr& e) {
    resolve(e);
    if (!needs_statements(*e)) return;
    throw Unsupported(program().location(e->place), "a call or a long quantifier inside @do_together",
                      "give its value to a variable before the block");
  };
  const std::function<void(Statement&)> visit = [&](Statement& part) {
    if (part.target) {
      resolve(part.target);
      for (ExpressionPtr& index : part.target->operands) check(index);
    }
    if (part.value) check(part.value);
    for (const StatementPtr& inner : part.body) visit(*inner);
  };
  visit(s);
  out.push_back(clone(s));
}

void Flattener::flatten_return(Statement& s, Statements& out) {
  if (s.value) {
    resolve(s.value);
    const VariableId result = program().functions[function_].return_variable;
    assign(make_name(program(), result, s.place), std::move(s.value), s.place, out);
  }
  out.push_back(make_simple(Statement::Kind::Return, s.place));
}

void Flattener::flatten_pre(Statement& s, Statements& out) {
  mode_ = Mode::Pre;
  resolve(s.value);
  const VariableId variable = precondition(s.name);
  Statements inner;
  assign(make_name(program(), variable, s.place), std::move(s.value), s.place, inner);
  mode_ = Mode::Code;
  StatementPtr block = make_block(std::move(inner), s.place);
  block->name = std::string(kPreBlock) + s.name;
  block->variable = variable;
  out.push_back(std::move(block));
  if (function_ != program().entry || pre_count_ != 1) return;
  // With a single precondition a run on which it is false ends here; of a recursive entry the outermost call alone
  // decides.
  ExpressionPtr condition = make_name(program(), variable, s.place);
  if (context_.calls.is_recursive(function_)) {
    const VariableId sp = context_.stack_pointers[context_.calls.component(function_)];
    condition = make_binary(Operator::Or, make_binary(Operator::Greater, make_name(program(), sp), make_number(0)),
                            std::move(condition), s.place);
  }
  StatementPtr assume = make_simple(Statement::Kind::Assume, s.place);
  assume->value = std::move(condition);
  out.push_back(std::move(assume));
}

void Flattener::flatten_post(Statement& s, Statements& out) {
  mode_ = Mode::Post;
  resolve(s.value);
  const VariableId variable = add_variable(program(), function_, "post_" + s.name, Type::Bool);
  Statements inner;
  assign(make_name(program(), variable, s.place), std::move(s.value), s.place, inner);
  mode_ = Mode::Code;
  const auto pre = std::find_if(preconditions_.begin(), preconditions_.end(),
                                [&](const auto& entry) { return entry.first == s.name; });
  StatementPtr assertion = make_simple(Statement::Kind::Assert, s.place);
  assertion->name = s.name;
  assertion->value = make_name(program(), variable, s.place);
  if (pre != preconditions_.end()) {
    assertion->value = make_binary(Operator::Implies, make_name(program(), pre->second, s.place),
                                   std::move(assertion->value), s.place);
  }
  inner.push_back(std::move(assertion));
  StatementPtr block = make_block(std::move(inner), s.place);
  block->name = std::string(kPostBlock) + s.name;
  block->variable = variable;
  out.push_back(std::move(block));
}

}  // namespace plumb::tiny
