#pragma once

#include <functional>
#include <optional>

#include "lang/bip/flatten/context.h"

namespace plumb::bip::flat {

/// What a name stands for: a variable of the model, or a constant.
struct Binding {
  Type type = Type::Int;
  VariableId variable = kNone;  ///< kNone for constants
  std::int64_t value = 0;       ///< of a constant
};

using Scope = std::function<Binding(const Expression& name)>;

/// A copy in which every name is bound. Types have been checked; numbers that do not fit into an int are a UserError.
/// Warns of divisors that may be zero.
ExpressionPtr bind_expression(Context& context, const Expression& expression, const Scope& scope);

/// Null stands for true, also in what is returned if it is constant.
ExpressionPtr bind_condition(Context& context, const ExpressionPtr& condition, const Scope& scope);

Block bind_block(Context& context, const Block& block, const Scope& scope);

/// The value of a constant expression, which must fit into an int. `what` names it in messages.
Constant bind_constant(Context& context, const Expression& expression, std::string_view what, const Scope& scope);

/// An assignment of a constant, for data that is declared with a value.
StatementPtr assignment(const Name& name, const Binding& target, const Constant& value);

/// Nothing if the bound expression has names.
std::optional<std::int64_t> constant_value(const Expression& bound, std::uint32_t bits);

/// What a parameter or a constant of the package stands for.
Binding find_constant(const Context& context, const Constants& parameters, const Expression& name);

}  // namespace plumb::bip::flat
