#pragma once

#include <span>
#include <vector>

#include "prove/guess/polynomial_facts.h"
#include "term/substitution.h"

namespace plumb::prove {

/// The operands of a conjunction, however it is nested; of true none.
std::vector<Term> conjuncts_of(const term::TermStore& store, Term t);

/// Facts, and what follows from them without a search: equations that give the value of a variable are put into
/// everything else, two words neither of which is less are equal, and equations between sums of products follow from
/// each other by polynomial_facts.h, in each of the cases that a term tells apart.
class Premise {
 public:
  /// A variable and what the facts say it is.
  struct Value {
    Term variable;
    Term value;
  };
  /// `values`: what is replaced first, at once; no value may speak of a variable that another one replaces.
  Premise(term::TermStore& store, std::span<const Term> facts, std::span<const Value> values = {});

  /// The term where the facts hold: equal to it there, and often simpler.
  Term apply(Term t);
  /// What is left of the facts; together with the replacements they say the same. `false` alone if they cannot hold.
  const std::vector<Term>& assumptions() const noexcept { return assumptions_; }
  bool is_contradictory() const;
  /// True for sure; false is no answer. `t` as apply() gave it.
  bool implies(Term t);

 private:
  void split(std::span<const Term> facts);
  void replace(term::Substitution substitution);
  bool replace_equals();
  Term known_value(Term fact, Term& variable);
  void find_equal_orders(std::vector<Term>& equations) const;
  bool implies_by_cases(Term t, unsigned depth);

  term::TermStore& store_;
  std::vector<Term> assumptions_;
  std::vector<term::Substitution> replacements_;  ///< one behind the other
  PolynomialFacts equations_;
  term::TermSet room_;
};

}  // namespace plumb::prove
