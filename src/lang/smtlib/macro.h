#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "lang/smtlib/type.h"
#include "term/traverse.h"

namespace plumb::smtlib {

/// The body of a define-fun with parameters, compiled to the list of the terms that depend on a parameter, operands
/// first. A call makes these terms anew and touches nothing else, so it costs what it makes.
class Macro {
 public:
  /// `parameters` are variables of the store that are used nowhere but in `body`, in the order of their making; nothing
  /// made before the first of them can depend on one. `scratch` is only for speed: one map serves all macros.
  Macro(const term::TermStore& store, std::vector<TypedTerm> parameters, TypedTerm body,
        term::TermMap<std::uint32_t>& scratch);

  std::span<const TypedTerm> parameters() const noexcept { return parameters_; }
  const Type& type() const noexcept { return body_.type; }
  /// Needs one argument a parameter, of its type. Throws OutOfBudget.
  term::Term instantiate(term::TermStore& store, std::span<const TypedTerm> arguments, const Budget& budget) const;

 private:
  struct Operand {
    bool local;            ///< a parameter or a step, by number
    std::uint32_t number;  ///< the number, or the handle of a term that depends on no parameter
  };
  struct Step {
    term::Op op;
    std::uint8_t arity;
    std::uint32_t width;
    std::uint32_t parameter;
    Operand operands[3];
  };

  std::vector<TypedTerm> parameters_;
  TypedTerm body_;
  std::vector<Step> steps_;
  Operand result_;
};

}  // namespace plumb::smtlib
