#pragma once

#include <vector>

#include "lang/bip/model.h"
#include "lang/bip/syntax/lexer.h"

namespace plumb::bip {

/// Replaces constants, decides comparisons of components and turns those of places into comparisons with numbers of
/// places, operands[0] being the place and operands[1] a Number that has the place's name; checks that numbers fit.
/// Names are bound by number_of() before. Binding an expression again changes nothing. Throws UserError.
void bind_names(ExpressionPtr& expression, const Model& model, const Tokens& tokens);

/// Without the constants true and false where that is possible; types are kept.
ExpressionPtr simplified(ExpressionPtr expression);

/// The conjunction or disjunction of bools as a tree of least depth. Constants among them are left out or decide it.
ExpressionPtr join(Operator op, std::vector<ExpressionPtr> operands, Place place);

}  // namespace plumb::bip
