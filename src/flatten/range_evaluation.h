#pragma once

#include <absl/container/flat_hash_map.h>

#include <utility>
#include <vector>

#include "flatten/range.h"
#include "term/traverse.h"

namespace plumb::flatten {

/// Bit-vectors of at most 64 bits have ranges.
inline bool has_range(const term::TermStore& store, term::Term t) { return !store.is_array(t) && store.width(t) <= 64; }

/// By position of the variable.
using Ranges = std::vector<Range>;

/// Ranges of the terms of one statement, from those of the variables and from conditions that are known to hold. Other
/// variables, inputs, can be anything. Not thread-safe.
class RangeEvaluation {
 public:
  using Positions = absl::flat_hash_map<term::Term, std::size_t>;

  /// `positions`: of the variables that have a range, in Ranges. Both must outlive it.
  RangeEvaluation(const term::TermStore& store, const Positions& positions) : store_(store), positions_(positions) {}

  /// Forgets everything; `variables` must live until the next start.
  void start(const Ranges& variables);
  /// From now on the condition is known to have this value.
  void assume(term::Term condition, bool value);
  /// False: no values fit what was assumed. Ranges mean nothing then.
  bool is_possible() const noexcept { return is_possible_; }
  /// Needs a term that has_range().
  Range of(term::Term t);

 private:
  Range computed(term::Term t);
  void bound(term::Term t, const Range& range);
  void bound_operands(term::Term t, const Range& range, std::vector<std::pair<term::Term, Range>>& pending);
  void assume_one(term::Term t, bool is_true, std::vector<std::pair<term::Term, bool>>& pending);
  void assume_equal(term::Term a, term::Term b, bool are_equal);
  void assume_less(bool is_signed, term::Term a, term::Term b, bool is_less);
  void exclude(term::Term t, const Range& range);

  const term::TermStore& store_;
  const Positions& positions_;
  const Ranges* variables_ = nullptr;
  absl::flat_hash_map<term::Term, Range> known_;
  term::TermMap<Range> cache_;
  term::TermSet seen_;
  bool is_possible_ = true;
};

}  // namespace plumb::flatten
