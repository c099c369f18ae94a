#pragma once

#include <absl/container/flat_hash_map.h>

#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "term/term_store.h"
#include "term/traverse.h"
#include "term/value.h"

namespace plumb::solve {

/// Lemmas on demand for arrays (after Brummayer and Biere, "Lemmas on Demand for the Extensional Theory of Arrays",
/// 2009). A solver that treats reads and array equalities as free inputs finds a candidate; each read is followed
/// through the writes that the candidate makes it pass, and where it does not have the value that was written there, or
/// that another read of the same cell has, a lemma excludes that. Equalities are checked last, on the arrays that the
/// candidate describes, and refined by one index at which they are wrong; this replaces the paper's upward propagation
/// and needs no bookkeeping between rounds. Every lemma is valid, so it may stay for good.
class ArrayLemmas {
 public:
  /// The candidate's value of a bit-vector term, reads and array equalities being free.
  using Candidate = std::function<BitVector(term::Term)>;

  explicit ArrayLemmas(term::TermStore& store) : store_(store) {}

  /// Takes in the reads and equalities below a term.
  void add(term::Term root);
  /// Forgets all terms: the next query.
  void clear();
  bool empty() const noexcept { return reads_.empty() && equalities_.empty(); }

  /// Lemmas that the candidate violates; if there are none, the candidate with the values in `model` for array
  /// variables is a model. Terms of the lemmas must be add()ed by the caller, as they may contain new reads.
  std::vector<term::Term> violated(const Candidate& candidate, term::Assignment& model);
  std::uint64_t count() const noexcept { return count_; }

 private:
  struct Cell {
    term::Term read;
    std::vector<term::Term> path;  ///< conditions under which the read reaches its variable
  };
  using Cells = std::map<std::pair<term::Term, BitVector>, Cell>;

  void follow(term::Term read, const Candidate& candidate, Cells& cells, std::vector<term::Term>& lemmas);
  void check_equality(term::Term equality, const Candidate& candidate, const term::Assignment& model,
                      std::vector<term::Term>& lemmas);
  term::Assignment describe(const Cells& cells, const Candidate& candidate) const;
  /// The variable or constant array below the writes and choices of `array`.
  term::Term base(term::Term array, const Candidate& candidate) const;
  term::ArrayValue build(term::Term array, const Candidate& candidate, const term::Assignment& model) const;
  term::Term implication(std::span<const term::Term> path, term::Term conclusion);
  /// A term among the indices of reads and writes with this value, else the constant.
  term::Term index_with_value(const BitVector& value, const Candidate& candidate);

  term::TermStore& store_;
  term::TermSet seen_;
  std::vector<term::Term> reads_;
  std::vector<term::Term> equalities_;
  std::vector<term::Term> indices_;
  std::vector<term::Term> variables_;
  absl::flat_hash_map<term::Term, term::Term>
      witnesses_;  ///< of equalities: an index at which the arrays differ if they do
  std::uint64_t count_ = 0;
};

}  // namespace plumb::solve
