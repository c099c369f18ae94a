#pragma once

#include <absl/container/flat_hash_map.h>

#include <utility>
#include <vector>

#include "term/range.h"
#include "term/traverse.h"

namespace plumb::term {

/// Bit-vectors of at most 64 bits have ranges.
inline bool has_range(const TermStore& store, Term t) { return !store.is_array(t) && store.width(t) <= 64; }

/// By position of the variable.
using Ranges = std::vector<Range>;

/// Ranges of terms that are evaluated together, as those of one statement are: from ranges of the variables and from
/// conditions that are known to hold. Other variables, inputs, can be anything. Sound for all values that fit: a range
/// may be too wide, never too narrow. A term is evaluated once; a condition costs a walk over what it bounds. Not
/// thread-safe.
class RangeEvaluation {
 public:
  using Positions = absl::flat_hash_map<Term, std::size_t>;

  /// `positions`: of the variables that have a range, in Ranges. Both must outlive it.
  RangeEvaluation(const TermStore& store, const Positions& positions) : store_(store), positions_(positions) {}

  /// Forgets everything; `variables` must live until the next start.
  void start(const Ranges& variables);
  /// From now on the condition is known to have this value.
  void assume(Term condition, bool value);
  /// False: no values fit what was assumed. Ranges mean nothing then.
  bool is_possible() const noexcept { return is_possible_; }
  /// Needs a term that has_range().
  Range of(Term t);

 private:
  Range computed(Term t);
  void bound(Term t, const Range& range);
  void bound_operands(Term t, const Range& range, std::vector<std::pair<Term, Range>>& pending);
  void assume_one(Term t, bool is_true, std::vector<std::pair<Term, bool>>& pending);
  void assume_equal(Term a, Term b, bool are_equal);
  void assume_less(bool is_signed, Term a, Term b, bool is_less);
  void exclude(Term t, const Range& range);

  const TermStore& store_;
  const Positions& positions_;
  const Ranges* variables_ = nullptr;
  absl::flat_hash_map<Term, Range> known_;
  TermMap<Range> cache_;
  TermSet seen_;
  bool is_possible_ = true;
};

}  // namespace plumb::term
