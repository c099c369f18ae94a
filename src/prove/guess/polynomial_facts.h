#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "term/polynomial.h"

namespace plumb::prove {

using term::Term;

/// Equations between sums of products, and what follows from them by adding multiples of one to another: that s + k is
/// (i + 1) k where s is i k needs no search in this way, and much of it in any other.
class PolynomialFacts {
 public:
  /// Of `facts` those that are equations between words.
  PolynomialFacts(term::TermStore& store, std::span<const Term> facts);

  /// True for sure; false is no answer.
  bool imply(Term equation) const;

 private:
  using Products = std::map<std::vector<Term>, BitVector>;
  struct Row {
    std::vector<Term> pivot;  ///< a product whose coefficient is 2^twos
    std::uint32_t twos = 0;
    Products products;
  };
  /// The difference of the sides, if it is an equation of that kind and not too long.
  std::optional<Products> difference(Term equation) const;
  void reduce(Products& products) const;
  static void reduce(Products& products, const Row& row);

  term::TermStore* store_;
  std::vector<Row> rows_;
};

/// The same with products of sums as sums of products, in one order: comparisons with (x + 1) (x + 1) and with x x + 2
/// x
/// + 1 become one.
Term with_products_expanded(term::TermStore& store, Term t);

}  // namespace plumb::prove
