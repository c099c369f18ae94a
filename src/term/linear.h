#pragma once

#include <optional>
#include <vector>

#include "term/term_store.h"

namespace plumb::term {

/// constant + sum of coefficient * term, modulo 2^width; terms are different, none is itself a sum, coefficients are
/// not zero.
struct LinearSum {
  struct Monomial {
    Term term;
    BitVector coefficient;
  };
  BitVector constant;
  std::vector<Monomial> monomials;  ///< by term

  /// The linear view of a term: through add, neg, not, multiplication by a constant and shift to the left. Nothing if
  /// it has more than `limit` monomials, so that long sums do not cost quadratic time.
  static std::optional<LinearSum> of(TermStore& store, Term t, std::size_t limit);

  /// this + factor * other.
  void add_multiple(const LinearSum& other, const BitVector& factor);
  Term to_term(TermStore& store) const;
};

/// A sum or multiple that needs fewer bits than it has is kept as the zero extension of a narrower one
/// (rewrite_arithmetic.cpp), which does not wrap around: gives that, or null.
Term narrow_sum(const TermStore& store, Term t);

/// The x with odd * x = 1.
BitVector inverse_of_odd(const BitVector& odd);

}  // namespace plumb::term
