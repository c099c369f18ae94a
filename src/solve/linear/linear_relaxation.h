#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "solve/linear/simplex.h"
#include "term/term_store.h"
#include "term/value.h"

namespace plumb::solve {

/// Refutes conjunctions of comparisons of sums without looking at bits, as the long chains of bounded sums that loops
/// leave behind are hard for a SAT solver and trivial as linear inequalities; or guesses a model of them.
class LinearRelaxation {
 public:
  explicit LinearRelaxation(term::TermStore& store) : store_(store) {}

  struct Finding {
    std::vector<term::Term> core;  ///< constraints that cannot hold together, in their order; empty if none were found
    term::Assignment point;        ///< if not empty: values that satisfy what was understood of the constraints
  };
  Finding examine(std::span<const term::Term> constraints);

 private:
  class Query;

  /// How the value of an atom counts in a sum that may be wider.
  enum class View : std::uint8_t { Modular, Unsigned, Signed };
  struct Monomial {
    term::Term atom;
    View view;
    Wide coefficient;
  };
  struct Sum {
    std::vector<Monomial> monomials;
    Wide constant = 0;
  };
  enum class Relation : std::uint8_t { None, Equal, UnsignedLess, SignedLess };
  /// A constraint as sums that are equal to its sides modulo 2^width.
  struct Comparison {
    Relation relation = Relation::None;
    bool negated = false;
    std::uint32_t width = 0;
    Sum left, right;
  };

  const Comparison& comparison(term::Term constraint);
  Comparison read(term::Term constraint);
  std::optional<Sum> sum(term::Term t);

  term::TermStore& store_;
  absl::flat_hash_map<term::Term, std::unique_ptr<Comparison>> comparisons_;
};

}  // namespace plumb::solve
