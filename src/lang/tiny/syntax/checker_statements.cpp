#include <fmt/format.h>

#include "lang/tiny/syntax/checker.h"

namespace plumb::tiny {

void Checker::check_block(Statement& block) {
  scopes_.emplace_back();
  for (const StatementPtr& statement : block.body) check_statement(*statement);
  scopes_.pop_back();
}

void Checker::check_statement(Statement& statement) {
  switch (statement.kind) {
    case Statement::Kind::Block:
      return check_block(statement);
    case Statement::Kind::Declare:
      return check_declare(statement);
    case Statement::Kind::Assign:
      return check_assign(statement);
    case Statement::Kind::Call:
      check_expression(*statement.value);
      if (statement.value->function != kNone && program_.functions[statement.value->function].is_predicate)
        report(statement.place, fmt::format("expected a statement, found the predicate '{}'", statement.value->name),
               "a predicate changes nothing; use it in an expression");
      return;
    case Statement::Kind::If:
      need_bool(statement.value);
      for (const StatementPtr& branch : statement.body) check_statement(*branch);
      return;
    case Statement::Kind::While:
    case Statement::Kind::DoWhile:
      need_bool(statement.value);
      ++loops_;
      check_statement(*statement.body[0]);
      --loops_;
      return;
    case Statement::Kind::For:
      return check_for(statement);
    case Statement::Kind::Break:
    case Statement::Kind::Continue:
      if (loops_ == 0)
        report(statement.place, fmt::format("'{}' stands outside of a loop",
                                            statement.kind == Statement::Kind::Break ? "break" : "continue"));
      return;
    case Statement::Kind::Return:
      return check_return(statement);
    case Statement::Kind::Together:
      return check_together(statement);
    case Statement::Kind::Pre:
    case Statement::Kind::Post:
      return check_property(statement);
    case Statement::Kind::Assert:
    case Statement::Kind::Assume:
      return need_bool(statement.value);
    case Statement::Kind::CallFunction:
      INVARIANT(false, "call_func should be made by rho alone");
  }
}

void Checker::check_declare(Statement& statement) {
  const VariableId id = statement.variable;
  compute_sizes(id);
  if (variable(id).kind == Variable::Kind::Constant) check_constant(id);
  if (variable(id).kind == Variable::Kind::Wire) check_wire(id);
  if (statement.value) need(variable(id).type, statement.value, fmt::format("'{}'", variable(id).name));
  enter(id);  // behind its value, which cannot refer to it
  if (has_returned_) late_.insert(id);
}

void Checker::check_assign(Statement& statement) {
  check_target(statement);
  const VariableId id = statement.target->variable;
  if (id == kNone || statement.target->type == Type::Void)
    check_expression(*statement.value);
  else
    need(variable(id).type, statement.value, fmt::format("'{}'", variable(id).name));
}

/// Leaves Void as the type of a target that has an error.
void Checker::check_target(Statement& statement) {
  Expression& target = *statement.target;
  const bool is_rv = target.name == "rv";
  if (is_rv) {
    report(target.place, "'rv' cannot be assigned to", "'return' sets the value that a function returns");
    target.type = Type::Void;
    return;
  }
  target.type = check_expression(target);
  if (target.type == Type::Void) return;
  const Variable& assigned = variable(target.variable);
  switch (assigned.kind) {
    case Variable::Kind::Quantified:
    case Variable::Kind::Constant:
      report(target.place,
             fmt::format("'{}' is {} and cannot be assigned to", assigned.name, to_string(assigned.kind)));
      target.type = Type::Void;
      return;
    case Variable::Kind::Wire:
      report(target.place, fmt::format("'{}' is a wire and cannot be assigned to", assigned.name),
             fmt::format("define it where it is declared: wire … {} = …;", assigned.name));
      target.type = Type::Void;
      return;
    case Variable::Kind::Global:
      current_->written.insert(target.variable);
      return;
    case Variable::Kind::Parameter:
      if (assigned.is_array()) current_->written.insert(target.variable);
      return;
    case Variable::Kind::Local:
      return;
  }
}

void Checker::check_for(Statement& statement) {
  scopes_.emplace_back();
  const auto check_part = [&](Statement& part) {
    // Several starts or steps are a block without a scope of its own.
    if (part.kind != Statement::Kind::Block) return check_statement(part);
    for (const StatementPtr& one : part.body) check_statement(*one);
  };
  check_part(*statement.body[0]);
  if (statement.value) need_bool(statement.value);
  check_part(*statement.body[1]);
  ++loops_;
  check_statement(*statement.body[2]);
  --loops_;
  scopes_.pop_back();
}

void Checker::check_return(Statement& statement) {
  const Function& function = program_.functions[function_];
  has_returned_ = true;
  if (function.result == Type::Void) {
    if (!statement.value) return;
    check_expression(*statement.value);
    report(statement.value->place,
           fmt::format("expected ';' behind 'return', found a value: '{}' returns none", function.name),
           function.name == "main" ? ""
                                   : fmt::format("declare it as 'int {}' or 'bool {}'", function.name, function.name));
    return;
  }
  if (!statement.value)
    report(statement.place, fmt::format("expected the value that '{}' returns behind 'return'", function.name));
  else
    need(function.result, statement.value, fmt::format("the value of '{}'", function.name));
}

/// All parts read the values before the block, so what they assign in what order matters only where two of them assign
/// the same.
void Checker::check_together(Statement& statement) {
  const Setting around = setting_;
  setting_ = {.what = "a @do_together block", .allows_calls = false};
  std::map<VariableId, Place> assigned;
  for (const StatementPtr& part : statement.body) check_together_part(*part, &assigned);
  setting_ = around;
}

/// `assigned`: the scalars that are assigned so far, or null inside an if, where assignments may exclude each other.
void Checker::check_together_part(Statement& part, std::map<VariableId, Place>* assigned) {
  if (part.kind == Statement::Kind::If) {
    need_bool(part.value);
    for (const StatementPtr& branch : part.body) {
      if (branch->kind == Statement::Kind::If) {
        check_together_part(*branch, nullptr);
        continue;
      }
      for (const StatementPtr& inner : branch->body) check_together_part(*inner, nullptr);
    }
    return;
  }
  if (part.kind != Statement::Kind::Assign)
    return report(part.place, "expected an assignment or an if in a @do_together block, found another statement");
  check_assign(part);
  if (assigned == nullptr || part.target->kind != Expression::Kind::Name || part.target->type == Type::Void) return;
  const auto [first, is_new] = assigned->emplace(part.target->variable, part.place);
  if (!is_new)
    report(part.place, fmt::format("'{}' is assigned twice in one @do_together block, first at line {}",
                                   part.target->name, first->second.line));
}

void Checker::check_property(Statement& statement) {
  const Setting around = setting_;
  const bool is_pre = statement.kind == Statement::Kind::Pre;
  const auto& body = program_.functions[function_].body->body;
  bool is_final = false;
  for (std::size_t i = final_posts_; i < body.size(); ++i) is_final = is_final || body[i].get() == &statement;
  setting_ = {.what = is_pre ? "a precondition" : "a postcondition",
              .allows_nondet = false,
              .is_property = true,
              .is_final_post = is_final};
  need_bool(statement.value);
  setting_ = around;
}

}  // namespace plumb::tiny
