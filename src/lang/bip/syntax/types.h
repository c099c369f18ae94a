#pragma once

#include <functional>
#include <optional>

#include "lang/bip/expression.h"
#include "lang/bip/syntax/lexer.h"

namespace plumb::bip {

/// The type of a name, or nothing if it is not known yet: then any use of it is right. Throws UserError for names that
/// do not exist.
using TypeOfName = std::function<std::optional<Type>(Expression& name)>;

/// Sets the types of an expression and its parts, bottom-up, and returns the expression's (nothing if it hangs on
/// names whose types are not known). Throws UserError where operands do not have the type that an operator needs.
std::optional<Type> check_types(Expression& expression, const TypeOfName& type_of_name, const Locate& locate);

/// check_types(), and the whole must have that type. `what` says what it is: "the guard".
void check_types(Expression& expression, Type type, std::string_view what, const TypeOfName& type_of_name,
                 const Locate& locate);

}  // namespace plumb::bip
