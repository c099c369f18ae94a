#pragma once

#include "lang/tiny/rho/build.h"

namespace plumb::tiny {

/// Replaces calls of named predicates by the predicate's expression. Arguments are by value: one is put in the place of
/// its parameter where that makes no difference; where it would (it can fail a check, or the predicate calls
/// functions), the call is left for the caller to evaluate the arguments first and use predicate_body().
void expand_predicates(const Program& program, const Options& options, Mode mode, ExpressionPtr& expression);

/// The expression of a called predicate with its parameters replaced by the arguments, whatever they are; predicates in
/// it are expanded as far as expand_predicates() does.
ExpressionPtr predicate_body(const Program& program, const Options& options, Mode mode, const Expression& call);

}  // namespace plumb::tiny
