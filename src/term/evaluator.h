#pragma once

#include <vector>

#include "term/traverse.h"
#include "term/value.h"

namespace plumb::term {

/// Evaluates terms under one assignment; results are kept, so terms that share structure cost it once. The assignment
/// must outlive the evaluator and not change meanwhile. Array terms are not built unless they are compared or asked
/// for: a select walks its stores.
class Evaluator {
 public:
  Evaluator(const TermStore& store, const Assignment& assignment) : store_(store), assignment_(assignment) {}

  /// Of a bit-vector term. The reference lives until the next call.
  const BitVector& bits(Term t);
  bool is_true(Term t) { return bits(t).is_one(); }
  Value value(Term t);
  /// Forgets all results, after the assignment was changed. O(1).
  void clear() noexcept { known_.clear(); }

 private:
  void compute(Term t);
  BitVector select(Term array, const BitVector& index);
  ArrayValue array(Term t);

  const TermStore& store_;
  const Assignment& assignment_;
  TermMap<BitVector> known_;
  std::vector<Term> stack_;
};

}  // namespace plumb::term
