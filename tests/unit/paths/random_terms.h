#pragma once

#include <array>
#include <random>
#include <vector>

#include "term/term_store.h"

namespace plumb::paths {

using term::Term;
using term::TermStore;

/// Random terms as an execution makes them: joined values, comparisons, sums, conditions.
class RandomTerms {
 public:
  RandomTerms(TermStore& terms, unsigned seed) : terms_(terms), random_(seed) {
    for (unsigned i = 0; i < 3; ++i) words_.push_back(terms.variable(4, "w"));
    for (unsigned i = 0; i < 2; ++i) conditions_.push_back(terms.variable(1, "c"));
    for (unsigned i = 0; i < 30; ++i) grow();
  }

  Term condition() { return conditions_[conditions_.size() - 1 - below(6)]; }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  Term word() { return words_[below(static_cast<unsigned>(words_.size()))]; }
  Term any_condition() { return conditions_[below(static_cast<unsigned>(conditions_.size()))]; }
  void grow() {
    switch (below(10)) {
      case 0:
        return words_.push_back(terms_.add(word(), below(2) == 0 ? terms_.constant(4, below(16)) : word()));
      case 1:
      case 2:
      case 3:
        return words_.push_back(
            terms_.ite(any_condition(), word(), below(2) == 0 ? terms_.constant(4, below(16)) : word()));
      case 4:
        return words_.push_back(
            terms_.make(below(2) == 0 ? term::Op::Mul : term::Op::Urem, std::array{word(), word()}));
      case 5:
        return conditions_.push_back(terms_.bit_and(any_condition(), any_condition()));
      case 6:
        return conditions_.push_back(terms_.bit_or(any_condition(), terms_.bit_not(any_condition())));
      case 7:
        return conditions_.push_back(terms_.eq(word(), below(2) == 0 ? terms_.constant(4, below(16)) : word()));
      case 8:
        return conditions_.push_back(terms_.slt(word(), below(2) == 0 ? terms_.constant(4, below(16)) : word()));
      default:
        return conditions_.push_back(terms_.ult(word(), word()));
    }
  }

  TermStore& terms_;
  std::mt19937 random_;
  std::vector<Term> words_;
  std::vector<Term> conditions_;
};

}  // namespace plumb::paths
