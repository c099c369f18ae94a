#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/tiny/tiny.h"

namespace plumb::tiny {

/// Where an expression stands: arithmetic wraps without a report in contracts, and what fails in a precondition makes
/// it false.
enum class Mode : std::uint8_t { Code, Pre, Post };

// The statements of a contract are a Block that is called by its kind and name, "@pre ls"; `variable` is x_P or x_Q.
// Blocks of that kind at the end of a function's body are what every return of it leads to.
inline constexpr std::string_view kPreBlock = "@pre ";
inline constexpr std::string_view kPostBlock = "@post ";
bool is_pre_block(const Statement& statement);
bool is_post_block(const Statement& statement);
/// The position in a function's body behind which there are postconditions only.
std::size_t epilogue_begin(const Statement& body);

/// Made by rho, for the depth of recursion; as wide as the depth needs, whatever an int is.
bool is_stack_pointer(const Variable& variable);
/// A comparison of integers that are not cut to words, as for the bounds of a quantifier: made by rho, without a place.
bool is_exact_comparison(const Expression& expression);

ExpressionPtr make_number(std::uint64_t value);
ExpressionPtr make_boolean(bool value);
ExpressionPtr make_name(const Program& program, VariableId variable, Place place = {});
ExpressionPtr make_index(const Program& program, VariableId variable, std::vector<ExpressionPtr> indices,
                         Place place = {});
ExpressionPtr make_not(ExpressionPtr operand);
/// Its type is bool for comparisons and connectives.
ExpressionPtr make_binary(Operator op, ExpressionPtr left, ExpressionPtr right, Place place = {});

StatementPtr make_block(std::vector<StatementPtr> body, Place place);
StatementPtr make_assign(ExpressionPtr target, ExpressionPtr value, Place place);
StatementPtr make_if(ExpressionPtr condition, std::vector<StatementPtr> then_body, std::vector<StatementPtr> else_body,
                     Place place);
StatementPtr make_simple(Statement::Kind kind, Place place);

/// A new variable of a function, of rho's making: without a place, so that users do not see it. Its unique name is
/// `function::name`, with a number where that is taken.
VariableId add_variable(Program& program, FunctionId function, const std::string& name, Type type,
                        Variable::Kind kind = Variable::Kind::Local);

/// Every expression of a tree, operands first.
void for_each_expression(const Expression& expression, const std::function<void(const Expression&)>& visit);
/// Every statement of a tree, those around others first.
void for_each_statement(const Statement& statement, const std::function<void(const Statement&)>& visit);
/// Every whole expression of the statements of a tree: targets and values.
void for_each_root(const Statement& statement, const std::function<void(const Expression&)>& visit);
/// Replaces every expression of a tree, operands first.
void rewrite(ExpressionPtr& expression, const std::function<void(ExpressionPtr&)>& change);
/// The same for targets and values of all statements of a tree.
void rewrite(Statement& statement, const std::function<void(ExpressionPtr&)>& change);

/// A copy with the same positions of variables and functions.
Program copy(const Program& program);

/// Sizes by dimension, with the free ones filled in.
std::vector<std::uint64_t> sizes_of(const Variable& variable, const Options& options);

}  // namespace plumb::tiny
