#pragma once

#include <map>
#include <span>

#include "lang/bip/model.h"
#include "term/term_store.h"

namespace plumb::bip {

using term::Term;
using term::TermStore;

/// Values of variables as terms: those of a base, and what was written since. The counterpart of evaluate() and
/// execute() on numbers: ints have Model::bits bits, bools one. Branches are executed both and merged. Store, model and
/// base must outlive it.
class Symbolic {
 public:
  /// By VariableId: the value of each variable and behind them, as in Condition, the place of each component.
  Symbolic(TermStore& store, const Model& model, std::span<const Term> base)
      : store_(&store), model_(&model), base_(base) {}

  Term value(VariableId variable) const;
  /// True if there is no expression.
  Term holds(const ExpressionPtr& condition) const;
  Term evaluate(const Expression& bound) const;

  void set(VariableId variable, Term value) { written_[variable] = value; }
  void execute(const Block& bound);
  /// What was set or written, also where it is the old value.
  const std::map<VariableId, Term>& written() const noexcept { return written_; }

 private:
  Term evaluate_binary(const Expression& bound) const;
  Term compare_place(const Expression& bound) const;
  bool is_place(const Expression& bound) const;

  TermStore* store_;
  const Model* model_;
  std::span<const Term> base_;
  std::map<VariableId, Term> written_;
};

/// The sort of a variable.
std::uint32_t width_of(const Model& model, Type type);
/// The bits that numbers up to `greatest` need, at least one.
std::uint32_t width_for(std::uint64_t greatest);

}  // namespace plumb::bip
