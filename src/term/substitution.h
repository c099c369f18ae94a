#pragma once

#include <absl/container/flat_hash_map.h>

#include "term/traverse.h"

namespace plumb::term {

/// The term with each operand replaced by what `operands` has for it; it must have all of them.
Term rebuild(TermStore& store, Term t, const TermMap<Term>& operands);

/// Terms with some of their subterms replaced, at once. Replaced terms must have the sort of their replacement. Results
/// are kept between calls; add() after apply() forgets them. Not recursive.
class Substitution {
 public:
  explicit Substitution(TermStore& store) : store_(store) {}

  /// Later applications replace `from` by `to`; replacements are not replaced again.
  void add(Term from, Term to);
  bool empty() const noexcept { return map_.empty(); }
  Term apply(Term t);

 private:
  TermStore& store_;
  absl::flat_hash_map<Term, Term> map_;
  TermMap<Term> done_;
};

}  // namespace plumb::term
