#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/tiny/rho/arrays.h"
#include "lang/tiny/rho/call_graph.h"

namespace plumb::tiny {

/// What all functions of a program share while rho works on them.
struct RhoContext {
  Program& program;
  const Options& options;
  const CallGraph& calls;
  const ArrayReferences& arrays;
  std::vector<VariableId> stack_pointers;  ///< by component of the call graph; kNone if it is not recursive
};

/// Rewrites the body of one function so that expressions have no calls of functions, no calls of predicates and no
/// quantifiers but those that can be unrolled (equations 3.1 to 3.6).
class Flattener {
 public:
  Flattener(RhoContext& context, FunctionId function) : context_(context), function_(function) {}

  void flatten_function();

 private:
  using Statements = std::vector<StatementPtr>;

  Program& program() { return context_.program; }

  // Expressions. What has to be evaluated before goes to `out`; the result is equal to the expression behind that.
  ExpressionPtr flatten(ExpressionPtr e, Statements& out);
  void flatten_operands(Expression& e, Statements& out);
  ExpressionPtr flatten_connective(ExpressionPtr e, Statements& out);
  ExpressionPtr flatten_conditional(ExpressionPtr e, Statements& out);
  /// The call up to the return; gives the callee's return variable, null for void. Its value lasts until the next call.
  ExpressionPtr flatten_call(Expression& call, Statements& out);
  ExpressionPtr flatten_predicate(ExpressionPtr call, Statements& out);
  ExpressionPtr flatten_quantifier(ExpressionPtr e, Statements& out);
  /// `target` := e, without a temporary for a call that is all of e.
  void assign(ExpressionPtr target, ExpressionPtr e, Place place, Statements& out);
  /// A temporary with the value of an expression, unless nothing that is called can change that.
  ExpressionPtr save(ExpressionPtr e, Statements& out);
  VariableId temporary(Type type, const std::string& name);

  /// It cannot be evaluated in one statement.
  bool needs_statements(const Expression& e) const;
  /// It cannot stand where it may not be evaluated: as above, or it takes a free choice.
  bool needs_control(const Expression& e) const;
  bool is_unrolled(const Expression& quantified) const;
  void resolve(ExpressionPtr& e) const;
  /// Parameter or return variable of a callee, in the row that its activation will have.
  ExpressionPtr in_row_of(FunctionId callee, VariableId variable) const;

  // Statements.
  void flatten(Statement& statement, Statements& out);
  StatementPtr flatten_body(Statement& statement);
  void flatten_declare(Statement& statement, Statements& out);
  void flatten_assign(Statement& statement, Statements& out);
  void flatten_if(Statement& statement, Statements& out);
  void flatten_loop(Statement& statement, Statements& out);
  void flatten_together(Statement& statement, Statements& out);
  void flatten_return(Statement& statement, Statements& out);
  void flatten_pre(Statement& statement, Statements& out);
  void flatten_post(Statement& statement, Statements& out);
  VariableId precondition(const std::string& name);
  void start_preconditions(const Statement& body, Statements& out);

  RhoContext& context_;
  FunctionId function_;
  Mode mode_ = Mode::Code;
  std::vector<std::pair<std::string, VariableId>> preconditions_;  ///< by name
  std::size_t pre_count_ = 0;                                      ///< @pre statements in the body
};

}  // namespace plumb::tiny
