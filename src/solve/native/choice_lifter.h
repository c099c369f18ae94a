#pragma once

#include <absl/container/flat_hash_map.h>

#include <tuple>
#include <vector>

#include "term/term_store.h"
#include "term/traverse.h"

namespace plumb::solve {

/// Takes comparisons of choices apart: ite(c, x, y) < v becomes ite(c, x < v, y < v), down to what the choices are made
/// of. A read of an array at an index that is not known is a tree of choices between its elements, and most often only
/// compared: as choices between comparisons it needs one bit where it had a word, and reads that are compared with the
/// same value share the comparisons of the elements. The result is equivalent. New comparisons are made as long as they
/// are at most twice the choices met, so the result stays linear in the size of the term. A result is left as it is
/// when it is met again, so a read in it stays that read. Not recursive in the term.
class ChoiceLifter {
 public:
  explicit ChoiceLifter(term::TermStore& store) : store_(store) {}

  term::Term apply(term::Term t);
  std::uint64_t lifted() const noexcept { return lifted_; }

 private:
  /// Trees of more choices are left alone.
  static constexpr std::size_t kMaxChoices = 2048;
  static constexpr std::int64_t kFirstCredit = 16;
  static constexpr std::int64_t kCreditPerChoice = 2;

  /// A comparison of `part`, which stands on the left or on the right of its operator, with `other`.
  struct Comparison {
    term::Op op;
    term::Term other;
    bool is_left;
  };
  using Key = std::tuple<term::Op, term::Term, term::Term>;

  bool is_choice(term::Term t) const { return store_.op(t) == term::Op::Ite; }
  static Key key(const Comparison& comparison, term::Term part);
  term::Term compare(const Comparison& comparison, term::Term part);
  term::Term lift(term::Term comparison);
  /// The choices below one, operands first; empty if there are too many.
  std::vector<term::Term> choices_below(term::Term root);
  /// What comparing all that the choices are made of costs in new comparisons of words.
  std::int64_t cost(const Comparison& comparison, const std::vector<term::Term>& choices);

  term::TermStore& store_;
  term::TermSet seen_;  ///< terms of earlier calls are not visited again
  term::TermMap<term::Term> done_;
  term::TermSet met_;                           ///< choices that gave their credit
  term::TermSet below_;                         ///< room of choices_below() and cost()
  absl::flat_hash_map<Key, term::Term> known_;  ///< comparisons that were made
  std::int64_t credit_ = kFirstCredit;
  std::uint64_t lifted_ = 0;
};

}  // namespace plumb::solve
