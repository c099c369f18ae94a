#pragma once

#include <map>
#include <optional>
#include <vector>

#include "term/term_store.h"

namespace plumb::term {

/// A term as a sum of products modulo 2^width: each product, a sorted list of factors that are neither sums nor
/// products themselves, with its coefficient; none is zero. Terms with the same polynomial are equal, so a(b + c) and
/// ab + ac need no search. x % y counts as x - (x / y) y.
struct Polynomial {
  std::map<std::vector<Term>, BitVector> products;  ///< the empty product has the constant

  /// Nothing if it, or an intermediate result, has more than `limit` products.
  static std::optional<Polynomial> of(TermStore& store, Term t, std::size_t limit);
  friend bool operator==(const Polynomial&, const Polynomial&) = default;
};

}  // namespace plumb::term
