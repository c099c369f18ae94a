#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lang/tiny/syntax/parser.h"

namespace plumb::tiny {

/// Who calls whom, and what else the checks of the whole program need to know of the functions.
struct CallSite {
  FunctionId callee = kNone;
  const Expression* call = nullptr;
  bool is_in_property = false;  ///< of a @pre, a @post or a predicate
};
struct FunctionFacts {
  std::vector<CallSite> calls;
  std::set<VariableId> named;    ///< variables that are read or written
  std::set<VariableId> written;  ///< globals, and parameters that are arrays
};

/// Of wires and constants: what their definitions name and call.
using DefinitionFacts = std::map<VariableId, FunctionFacts>;

/// Resolves names, checks types and enters conversions of ints to conditions. After the first error in an expression
/// nothing more is said of what contains it.
class Checker {
 public:
  Checker(WrittenProgram written, std::vector<UserError>& errors, std::vector<Warning>& warnings);

  Program check();

 private:
  /// Where an expression stands, and so what it may contain.
  struct Setting {
    std::string_view what;
    bool allows_calls = true;
    bool allows_nondet = true;
    bool is_constant = false;    ///< numbers, constants and operators alone
    bool is_property = false;    ///< of a @pre, a @post or a predicate
    bool is_final_post = false;  ///< a @post at the end of the body: `rv` has a value
  };
  using Scope = std::unordered_map<std::string, VariableId>;

  // The program.
  void enter_functions();
  void enter_globals();
  void compute_sizes(VariableId id);
  void check_constant(VariableId id);
  void check_wire(VariableId id);
  void check_definition(VariableId id, const Setting& setting);
  void check_function(FunctionId id);
  void name_variables();
  void warn_of_unused();
  void check_contracts(const Function& function);

  // Names.
  void enter(VariableId id);
  VariableId find(std::string_view name) const;
  std::string similar_name(std::string_view name, bool is_function) const;
  VariableId resolve(Expression& name);
  void report(Place place, std::string message, std::string hint = {});
  void warn(Place place, std::string message);
  Variable& variable(VariableId id) { return program_.variables[id]; }

  // Statements.
  void check_statement(Statement& statement);
  void check_block(Statement& block);
  void check_declare(Statement& statement);
  void check_assign(Statement& statement);
  void check_target(Statement& statement);
  void check_for(Statement& statement);
  void check_return(Statement& statement);
  void check_together(Statement& statement);
  void check_together_part(Statement& part, std::map<VariableId, Place>* assigned);
  void check_property(Statement& statement);

  // Expressions. Void is the type of what has an error in it.
  Type check_expression(Expression& expression);
  Type check_name(Expression& expression);
  Type check_index(Expression& expression);
  Type check_unary(Expression& expression);
  Type check_binary(Expression& expression);
  Type check_equality(Expression& expression);
  Type check_conditional(Expression& expression);
  Type check_call(Expression& expression);
  void check_array_argument(Expression& argument, const Variable& parameter, const Function& callee);
  Type check_quantified(Expression& expression);
  void need_bool(ExpressionPtr& expression);
  void need_int(Expression& expression, std::string_view user);
  void need(Type type, ExpressionPtr& expression, std::string_view user);
  bool refuse_unless(bool condition, Place place, std::string_view what);

  Program program_;
  std::multimap<VariableId, WrittenSize> sizes_;
  std::vector<UserError>& errors_;
  std::vector<Warning>& warnings_;
  std::unordered_map<std::string, FunctionId> functions_;
  std::vector<Scope> scopes_;
  std::vector<FunctionFacts> facts_;  ///< by function
  DefinitionFacts definition_facts_;
  FunctionFacts* current_ = nullptr;
  FunctionId function_ = kNone;
  Setting setting_;
  std::uint32_t loops_ = 0;      ///< around the statement
  bool has_circle_ = false;      ///< among constants, which then have no value
  bool has_returned_ = false;    ///< a return stands before the statement
  std::size_t final_posts_ = 0;  ///< position of the first @post at the end of the body
  std::set<VariableId> late_;    ///< locals that are declared behind a return
  std::set<VariableId> used_;
};

/// Reports wires, constants and predicates that are defined by themselves, each circle once, with its names.
void check_circles(const Program& program, const std::vector<FunctionFacts>& facts, const DefinitionFacts& definitions,
                   std::vector<UserError>& errors);
/// The checks that need the whole program: circles, endless recursion, effects of functions that properties call,
/// arrays under two names, the entry. Sets is_recursive and entry.
void check_calls(Program& program, const std::vector<FunctionFacts>& facts, const DefinitionFacts& definitions,
                 std::vector<UserError>& errors);

/// Whether control can come to the end of a function's body without a return.
bool can_fall_through(const Function& function);
/// The recursive functions every run of which calls one of them again.
std::set<FunctionId> endless_recursion(const Program& program);

/// The value of a constant expression of exact integers; nothing if it has none (or does not fit 64 bits). Names are of
/// constants.
std::optional<std::int64_t> exact_value(const Program& program, const Expression& expression);

std::string_view to_string(Variable::Kind kind);  ///< "a wire", "a parameter", …
std::string_view to_string(Type type);

}  // namespace plumb::tiny
