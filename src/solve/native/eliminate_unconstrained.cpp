// Unconstrained terms. A variable with a single occurrence can make its parent take any value if the parent's operator
// can be inverted in that operand; the parent then becomes a new variable, which may have a single occurrence in turn.
// Operators that reach nearly every value (<) keep the exception as a condition on the other operand. How the variable
// follows from the new one is recorded as a definition.

#include <array>

#include "solve/native/problem.h"
#include "term/linear.h"
#include "term/traverse.h"

namespace plumb::solve {

using term::Op;
using term::Term;

namespace {

class Unconstrained {
 public:
  Unconstrained(Problem& problem, const Budget& budget) : problem_(problem), store_(problem.store), budget_(budget) {}

  bool run() {
    count_uses();
    for (Term& t : problem_.assertions) t = replaced_.at(visit(t));
    return changed_;
  }

 private:
  void count_uses() {
    term::TermSet seen;
    term::post_order(store_, problem_.assertions, seen, [&](Term t) {
      for (unsigned i = 0; i < store_.arity(t); ++i) ++uses_[store_.child(t, i)];
    });
    for (const Term t : problem_.assertions) ++uses_[t];
  }

  Term visit(Term root) {
    term::post_order(store_, std::span(&root, 1), seen_, [&](Term t) {
      if (++steps_ % 4096 == 0) budget_.check();
      std::array<Term, 3> x{};
      const unsigned n = store_.arity(t);
      bool same = true;
      for (unsigned i = 0; i < n; ++i) {
        x[i] = replaced_.at(store_.child(t, i));
        same = same && x[i] == store_.child(t, i);
      }
      Term result;
      if (n > 0) result = invert(t, x);
      if (result)
        changed_ = true;
      else
        result = same ? t : store_.make(store_.op(t), std::span(x).first(n), store_.width(t), store_.parameter(t));
      // A variable stands where t stood, as often as t; one that was there before keeps its own uses.
      if (store_.is_variable(result) && result != t) uses_[result] += uses_.at(t);
      replaced_[t] = result;
    });
    return root;
  }

  bool is_free(Term t) const {
    const std::uint32_t* uses = uses_.find(t);
    return store_.is_variable(t) && uses != nullptr && *uses == 1;
  }

  Term fresh(Term like) { return store_.variable(store_.sort(like), "free"); }
  void define(Term variable, Term term) { problem_.definitions.push_back({variable, term}); }

  /// What t = op(x) can be replaced by, if free operands make it take any value.
  Term invert(Term t, const std::array<Term, 3>& x) {
    switch (store_.op(t)) {
      case Op::Not:
      case Op::Neg:
        return invert_unary(t, x[0]);
      case Op::Add:
      case Op::Xor:
      case Op::Eq:
        if (is_free(x[0])) return invert_binary(t, x[0], x[1]);
        return is_free(x[1]) ? invert_binary(t, x[1], x[0]) : Term{};
      case Op::And:
        return is_free(x[0]) && is_free(x[1]) ? choose_both(t, x[0], x[1]) : Term{};
      case Op::Mul:
        return invert_product(t, x[0], x[1]);
      case Op::Ult:
      case Op::Slt:
        return invert_comparison(t, x[0], x[1]);
      case Op::Concat:
        return invert_concat(t, x[0], x[1]);
      case Op::Extract:
        return invert_extract(t, x[0]);
      case Op::Ite:
        return invert_ite(t, x);
      case Op::Select:
        return invert_select(t, x[0]);
      default:
        return {};
    }
  }

  Term invert_unary(Term t, Term x) {
    if (!is_free(x)) return {};
    const Term y = fresh(t);
    define(x, store_.op(t) == Op::Not ? store_.bit_not(y) : store_.neg(y));
    return y;
  }

  Term invert_binary(Term t, Term x, Term other) {
    const Term y = fresh(t);
    if (store_.op(t) == Op::Eq) {
      if (store_.is_array(x)) return {};
      define(x, store_.ite(y, other, store_.bit_not(other)));
    } else {
      define(x, store_.op(t) == Op::Add ? store_.sub(y, other) : store_.bit_xor(y, other));
    }
    return y;
  }

  Term choose_both(Term t, Term a, Term b) {
    const Term y = fresh(t);
    define(a, y);
    define(b, y);
    return y;
  }

  Term invert_product(Term t, Term a, Term b) {
    const Term y = is_free(b) && (is_free(a) || store_.is_constant(a)) ? fresh(t) : Term{};
    if (!y) return {};
    if (is_free(a)) {
      define(a, store_.one(store_.width(t)));
      define(b, y);
      return y;
    }
    const BitVector factor = store_.value(a);
    if (!factor.bit(0)) return {};
    define(b, store_.mul(store_.constant(term::inverse_of_odd(factor)), y));
    return y;
  }

  Term invert_comparison(Term t, Term a, Term b) {
    const bool left = is_free(a);
    if (!left && !is_free(b)) return {};
    const Term other = left ? b : a;
    const std::uint32_t width = store_.width(a);
    const bool is_signed = store_.op(t) == Op::Slt;
    const BitVector low = is_signed ? BitVector::min_signed(width) : BitVector(width, 0);
    const BitVector high = is_signed ? BitVector::max_signed(width) : BitVector::ones(width);
    // The comparison holds for the extreme value of the variable, unless the other side is that extreme; it fails for
    // equal sides.
    const Term extreme = store_.constant(left ? low : high);
    const Term y = store_.variable(1, "free");
    define(left ? a : b, store_.ite(y, extreme, other));
    return store_.bit_and(y, store_.distinct(other, extreme));
  }

  Term invert_concat(Term t, Term high, Term low) {
    if (!is_free(high) || !is_free(low)) return {};
    const Term y = fresh(t);
    const std::uint32_t cut = store_.width(low);
    define(high, store_.extract(y, store_.width(t) - 1, cut));
    define(low, store_.extract(y, cut - 1, 0));
    return y;
  }

  Term invert_extract(Term t, Term x) {
    if (!is_free(x)) return {};
    const Term y = fresh(t);
    const std::uint32_t low = store_.parameter(t);
    define(x, store_.zero_extend(low > 0 ? store_.concat(y, store_.zero(low)) : y, store_.width(x)));
    return y;
  }

  Term invert_ite(Term t, const std::array<Term, 3>& x) {
    if (is_free(x[1]) && is_free(x[2])) return choose_both(t, x[1], x[2]);
    if (!is_free(x[0]) || (!is_free(x[1]) && !is_free(x[2]))) return {};
    const bool then_free = is_free(x[1]);
    const Term y = fresh(t);
    define(x[0], store_.boolean(then_free));
    define(then_free ? x[1] : x[2], y);
    return y;
  }

  Term invert_select(Term t, Term array) {
    if (!is_free(array)) return {};
    const Term y = fresh(t);
    define(array, store_.constant_array(store_.sort(array).index_width, y));
    return y;
  }

  Problem& problem_;
  term::TermStore& store_;
  const Budget& budget_;
  term::TermMap<std::uint32_t> uses_;
  term::TermSet seen_;
  term::TermMap<Term> replaced_;
  bool changed_ = false;
  std::uint64_t steps_ = 0;
};

}  // namespace

bool eliminate_unconstrained(Problem& problem, const Budget& budget) { return Unconstrained(problem, budget).run(); }

}  // namespace plumb::solve
