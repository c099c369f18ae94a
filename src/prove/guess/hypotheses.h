#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "prove/guess/affine_hull.h"
#include "prove/guess/premise.h"
#include "prove/guess/value_sets.h"
#include "prove/guess/vocabulary.h"
#include "term/substitution.h"

namespace plumb::prove {

/// What kinds of relations are tried beside equations, orders, ranges and the system's own comparisons.
struct Kinds {
  bool has_choices = false;   ///< one of two relations holds; remainders
  bool has_products = false;  ///< equations between products of two registers, and nothing else
  bool has_sets = false;      ///< values that words with few of them have together, and nothing else
};

/// What is believed of the registers at one place: relations that hold in all states that were seen there. A state in
/// which one does not hold weakens it as little as its kind allows, until nothing is left of it. Terms are in the
/// system's store.
class Hypotheses {
 public:
  /// The value that a term over the system's states has in a state.
  using Reader = std::function<const BitVector&(Term)>;

  /// `extra`: predicates that are worth a try here.
  Hypotheses(System& system, const ControlMap::Place& place, const Vocabulary& vocabulary, Kinds kinds,
             std::vector<Term> extra);

  /// A state that control comes to this place in: all of them for look(), then all of them for observe(), then
  /// settle().
  void look(const Reader& read);
  void observe(const Reader& read);
  void settle();
  /// Makes everything true in that state. Without a state observed before, this is the first.
  void weaken(const Reader& read);
  /// Gives one of conjuncts() up.
  void drop(Term conjunct);

  /// Nobody was seen here.
  bool is_empty() const noexcept { return states_ == 0; }
  /// All that is believed: false alone if the place is empty.
  std::vector<Term> conjuncts() const;
  /// What the equations say about some registers, in terms of others.
  std::vector<Premise::Value> values() const;

 private:
  static constexpr std::size_t kMaxValues = 6;      ///< of a word that tells cases apart
  static constexpr std::size_t kMaxSetValues = 20;  ///< of a word in a set
  struct Predicate {
    Term term;
    std::vector<std::uint64_t> misses = {};  ///< a bit for each observed state
  };
  /// A range of a word and the bits that are the same in all states.
  struct Range {
    Term word;
    std::uint64_t least = ~std::uint64_t{0}, greatest = 0;
    std::int64_t least_signed = INT64_MAX, greatest_signed = INT64_MIN;
    std::uint64_t known = ~std::uint64_t{0}, bits = 0;
    std::vector<std::uint64_t> values = {};  ///< that were seen, up to a number
  };
  struct Hull {
    AffineHull hull;
    std::vector<Term> words;
    std::vector<int> ranks;
  };

  void add_words(const ControlMap::Place& place, const std::vector<Term>& registers);
  void add_hulls(const std::vector<Term>& registers);
  void add_hull(std::uint32_t width, std::vector<Term> words);
  void add_products(const std::vector<Term>& registers, std::vector<Term>& words) const;
  std::vector<Term> extensions(Term t, std::uint32_t width) const;
  void add_pairs(const std::vector<Term>& words);
  void add_atoms(const ControlMap::Place& place);
  void add_remainders();
  void add_predicate(Term t);
  void add_choices();
  void add_sets();
  void extend_sets(const Reader& read);
  void add_cases();
  bool is_live(Term t, const ControlMap::Place& place);

  bool extend(Range& range, const BitVector& value) const;
  void loosen(Range& range) const;
  std::vector<Term> range_terms(const Range& range) const;
  Term equation_term(const Hull& hull, const AffineHull::Equation& equation, bool is_solved) const;
  bool is_dropped(Term t) const;

  System& system_;
  term::TermStore& store_;
  const Vocabulary& vocabulary_;
  Kinds kinds_;
  term::TermMap<std::size_t> positions_;  ///< of states
  term::TermSet seen_;
  std::vector<Range> ranges_;
  std::vector<Hull> hulls_;
  std::vector<ValueSet> sets_;
  std::vector<Term> flags_;                   ///< registers of one bit
  std::vector<Predicate> pool_;               ///< before settle()
  std::size_t own_ = 0;                       ///< the first of them are the system's atoms
  std::size_t first_case_ = ~std::size_t{0};  ///< from here on, what tells cases apart
  std::vector<Term> predicates_;
  std::vector<Term> dropped_;
  std::size_t states_ = 0;
  bool has_cases_ = false;
  bool is_settled_ = false;
};

}  // namespace plumb::prove
