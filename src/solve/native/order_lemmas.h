#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "term/term_store.h"
#include "term/traverse.h"

namespace plumb::solve {

/// What bits do not show of comparisons: that an order is transitive. Where a formula compares each two of three words,
/// the clauses that tie these comparisons together are lemmas over atoms that are there already: a few clauses where a
/// SAT solver would have to find the same through all bits of three comparators, for each triple on the way through a
/// sorted array. Only triangles of the graph of comparisons are looked at. Atoms are added in one case: two words that
/// are only asked to be equal are ordered, too, where a third word that is ordered with both ties them. Every lemma is
/// valid, so it may stay for good.
class OrderLemmas {
 public:
  explicit OrderLemmas(term::TermStore& store) : store_(store) { orders_[1].is_signed = true; }

  /// Takes in the comparisons below a term.
  void add(term::Term root);
  /// Lemmas about what was taken in since the last call, together with all before it.
  std::vector<term::Term> take();
  std::uint64_t count() const noexcept { return told_.size(); }

 private:
  /// No triangle is looked at when there are so many.
  static constexpr std::size_t kMaxLemmas = std::size_t{1} << 15;
  static constexpr std::size_t kMaxAtoms = 4096;

  /// The atoms about two words a and b; those that the formula does not have are no term.
  struct Relation {
    term::Term less;     ///< a < b
    term::Term greater;  ///< b < a
    term::Term equal;
    bool has_order() const noexcept { return less || greater; }
  };
  using Pair = std::pair<term::Term, term::Term>;
  using Triangles = absl::flat_hash_set<std::array<term::Term, 3>>;
  /// Signed and unsigned comparisons have nothing to do with each other.
  struct Order {
    bool is_signed = false;
    absl::flat_hash_map<Pair, Relation> relations;  ///< the smaller handle first
    absl::flat_hash_map<term::Term, std::vector<term::Term>> neighbours;
    std::vector<Pair> changed;
  };

  Relation& relation(Order& order, term::Term a, term::Term b);
  Relation oriented(const Order& order, term::Term a, term::Term b) const;
  void add_comparison(term::Term t);
  term::Term strictly_less(const Relation& r);
  term::Term less_or_equal(const Relation& r);
  void tell(term::Term lemma, std::vector<term::Term>& lemmas);
  void relate_two(const Relation& r, std::vector<term::Term>& lemmas);
  void relate_triangles(Order& order, const Pair& edge, Triangles& done, std::vector<term::Term>& lemmas);
  /// Orders two words of a triangle that only their equality is asked of, if the other two pairs are ordered.
  void complete(Order& order, const std::array<term::Term, 3>& words);
  /// `words` by rising handle.
  void relate_three(const Order& order, const std::array<term::Term, 3>& words, std::vector<term::Term>& lemmas);
  void relate_path(const Relation& first, const Relation& second, const Relation& whole,
                   std::vector<term::Term>& lemmas);

  term::TermStore& store_;
  term::TermSet seen_;
  std::array<Order, 2> orders_;  ///< unsigned, signed
  absl::flat_hash_set<term::Term> told_;
  std::size_t added_atoms_ = 0;
};

}  // namespace plumb::solve
