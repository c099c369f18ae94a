// Solved equations. Each assertion may offer a definition of one variable; the definitions that do not depend on
// themselves through others are substituted in one sweep, which resolves definitions within definitions on the way.

#include "base/error.h"
#include "solve/native/problem.h"
#include "term/linear.h"
#include "term/substitution.h"
#include "term/traverse.h"

namespace plumb::solve {

using term::LinearSum;
using term::Op;
using term::Term;

namespace {

constexpr std::size_t kMaxMonomials = 32;
constexpr unsigned kMaxSizeForOccursCheck = 4000;

class Equations {
 public:
  Equations(Problem& problem, const Budget& budget) : problem_(problem), store_(problem.store), budget_(budget) {}

  bool run() {
    for (const Term t : problem_.assertions) offer(t);
    if (offers_.empty()) return false;
    for (Term& t : problem_.assertions) t = resolve(t);
    bool changed = false;
    for (const Term v : offers_) {
      if (!definition_.at(v)) continue;
      problem_.definitions.push_back({v, definition_.at(v)});
      changed = true;
    }
    return changed;
  }

 private:
  void define(Term variable, Term term) {
    if (definition_.contains(variable)) return;
    definition_[variable] = term;
    offers_.push_back(variable);
  }

  bool is_free(Term t) const { return store_.is_variable(t) && !definition_.contains(t); }

  /// `t` is a small enough term without `variable`: cycles through other definitions are found later, direct ones here,
  /// where another way to solve the equation may exist.
  bool avoids(Term t, Term variable) {
    seen_.clear();
    std::vector<Term> work{t};
    unsigned size = 0;
    while (!work.empty()) {
      const Term x = work.back();
      work.pop_back();
      if (x == variable) return false;
      if (seen_.contains(x) || x < variable) continue;  // operands are older than their users
      seen_[x] = {};
      if (++size > kMaxSizeForOccursCheck) return false;
      for (unsigned i = 0; i < store_.arity(x); ++i) work.push_back(store_.child(x, i));
    }
    return true;
  }

  void offer(Term t) {
    const bool negated = store_.op(t) == Op::Not;
    const Term atom = negated ? store_.child(t, 0) : t;
    if (is_free(atom)) return define(atom, store_.boolean(!negated));
    if (store_.op(atom) == Op::Xor && store_.width(atom) == 1) return offer_boolean(atom, negated);
    if (negated || store_.op(atom) != Op::Eq) return;
    const Term a = store_.child(atom, 0);
    const Term b = store_.child(atom, 1);
    // The younger variable is rather the one that was introduced for the other side.
    if (is_free(b) && avoids(a, b)) return define(b, a);
    if (is_free(a) && avoids(b, a)) return define(a, b);
    if (store_.is_array(a)) return;
    if (offer_xor(a, b) || offer_xor(b, a)) return;
    offer_sum(a, b);
  }

  /// a ^ b asserted (a is not b) or refuted (a is b).
  void offer_boolean(Term atom, bool refuted) {
    for (const unsigned i : {1U, 0U}) {
      const Term v = store_.child(atom, i);
      const Term other = store_.child(atom, 1 - i);
      if (is_free(v) && avoids(other, v)) return define(v, refuted ? other : store_.bit_not(other));
    }
  }

  bool offer_xor(Term sum, Term other) {
    if (store_.op(sum) != Op::Xor) return false;
    for (const unsigned i : {1U, 0U}) {
      const Term v = store_.child(sum, i);
      const Term rest = store_.child(sum, 1 - i);
      if (!is_free(v) || !avoids(rest, v) || !avoids(other, v)) continue;
      define(v, store_.bit_xor(rest, other));
      return true;
    }
    return false;
  }

  /// A variable with an odd coefficient in a - b = 0.
  void offer_sum(Term a, Term b) {
    auto difference = LinearSum::of(store_, a, kMaxMonomials);
    const auto right = LinearSum::of(store_, b, kMaxMonomials);
    if (!difference || !right) return;
    difference->add_multiple(*right, BitVector::ones(store_.width(a)));
    for (std::size_t i = difference->monomials.size(); i-- > 0;) {
      const auto m = difference->monomials[i];
      if (!is_free(m.term) || !m.coefficient.bit(0)) continue;
      LinearSum rest = *difference;
      rest.monomials.erase(rest.monomials.begin() + static_cast<std::ptrdiff_t>(i));
      bool independent = true;
      for (const auto& other : rest.monomials) independent = independent && avoids(other.term, m.term);
      if (!independent) continue;
      const Term inverse = store_.constant(-term::inverse_of_odd(m.coefficient));
      return define(m.term, store_.mul(inverse, rest.to_term(store_)));
    }
  }

  /// The term with all definitions substituted. A definition that is met while it is being resolved depends on itself:
  /// it is dropped.
  Term resolve(Term root) {
    std::vector<Term> stack{root};
    while (!stack.empty()) {
      const Term t = stack.back();
      if (resolved_.contains(t)) {
        stack.pop_back();
        continue;
      }
      if (++steps_ % 4096 == 0) budget_.check();
      Term* definition = definition_.find(t);
      if (definition != nullptr && *definition) {
        if (resolved_.contains(*definition)) {
          *definition = resolved_.at(*definition);
          resolved_[t] = *definition;
          stack.pop_back();
        } else if (active_.contains(t)) {
          // Back at the variable with its definition unresolved: what lies between depends on it.
          drop(t);
        } else {
          active_[t] = {};
          stack.push_back(*definition);
        }
        continue;
      }
      const std::size_t before = stack.size();
      for (unsigned i = store_.arity(t); i-- > 0;)
        if (!resolved_.contains(store_.child(t, i))) stack.push_back(store_.child(t, i));
      if (stack.size() != before) continue;
      stack.pop_back();
      const Term result = term::rebuild(store_, t, resolved_);
      resolved_[t] = result;
    }
    return resolved_.at(root);
  }

  void drop(Term variable) {
    definition_[variable] = Term{};
    resolved_[variable] = variable;
  }

  Problem& problem_;
  term::TermStore& store_;
  const Budget& budget_;
  term::TermMap<Term> definition_;  ///< null: dropped
  std::vector<Term> offers_;
  term::TermMap<Term> resolved_;
  term::TermSet active_;
  term::TermSet seen_;
  std::uint64_t steps_ = 0;
};

}  // namespace

bool solve_equations(Problem& problem, const Budget& budget) { return Equations(problem, budget).run(); }

}  // namespace plumb::solve
