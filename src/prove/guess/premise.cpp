#include "prove/guess/premise.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "term/linear.h"
#include "term/traverse.h"

namespace plumb::prove {
namespace {

using term::Op;

constexpr int kMaxReplacements = 6;
constexpr std::size_t kMaxMonomials = 16;
constexpr unsigned kMaxCases = 5;  ///< conditions that are told apart
constexpr std::size_t kMaxCaseSize = 400;

}  // namespace

std::vector<Term> conjuncts_of(const term::TermStore& store, Term t) {
  std::vector<Term> result;
  term::TermSet seen;
  std::vector<Term> work = {t};
  while (!work.empty()) {
    const Term next = work.back();
    work.pop_back();
    if (seen.contains(next) || store.is_true(next)) continue;
    seen[next] = {};
    if (store.op(next) == term::Op::And && store.width(next) == 1) {
      work.push_back(store.child(next, 1));
      work.push_back(store.child(next, 0));
    } else {
      result.push_back(next);
    }
  }
  return result;
}

Premise::Premise(term::TermStore& store, std::span<const Term> facts, std::span<const Value> values)
    : store_(store), equations_(store, {}) {
  split(facts);
  term::Substitution first(store_);
  for (const Value& value : values) first.add(value.variable, value.value);
  if (!first.empty()) replace(std::move(first));
  for (int i = 0; i < kMaxReplacements && replace_equals(); ++i) {
  }
  equations_ = PolynomialFacts(store_, assumptions_);
  const bool is_broken = std::ranges::any_of(assumptions_, [&](Term t) {
    return store_.is_false(t) || (store_.op(t) == Op::Not && equations_.imply(store_.child(t, 0)));
  });
  if (is_broken) assumptions_ = {store_.boolean(false)};
}

bool Premise::is_contradictory() const { return assumptions_.size() == 1 && store_.is_false(assumptions_.front()); }

void Premise::split(std::span<const Term> facts) {
  assumptions_.clear();
  for (const Term fact : facts)
    for (const Term conjunct : conjuncts_of(store_, with_products_expanded(store_, fact)))
      assumptions_.push_back(conjunct);
  std::ranges::sort(assumptions_);
  const auto [first, last] = std::ranges::unique(assumptions_);
  assumptions_.erase(first, last);
}

/// From a <= b and b <= a, or from a < b and b <= a + 1. An order is kept as the strict one or its negation.
void Premise::find_equal_orders(std::vector<Term>& equations) const {
  using Pairs = std::vector<std::pair<Term, Term>>;
  Pairs strict[2];
  Pairs others[2];  ///< a <= b as (a, b)
  for (const Term fact : assumptions_) {
    const bool is_negated = store_.op(fact) == Op::Not;
    const Term order = is_negated ? store_.child(fact, 0) : fact;
    if (store_.op(order) != Op::Ult && store_.op(order) != Op::Slt) continue;
    const bool is_signed = store_.op(order) == Op::Slt;
    if (is_negated) {
      others[is_signed].emplace_back(store_.child(order, 1), store_.child(order, 0));
    } else {
      strict[is_signed].emplace_back(store_.child(order, 0), store_.child(order, 1));
    }
  }
  const auto has = [](const Pairs& pairs, Term a, Term b) {
    return std::ranges::find(pairs, std::pair(a, b)) != pairs.end();
  };
  for (const int is_signed : {0, 1}) {
    for (const auto& [a, b] : others[is_signed])
      if (a < b && has(others[is_signed], b, a)) equations.push_back(store_.eq(a, b));
    for (const auto& [a, b] : strict[is_signed]) {
      const Term one = store_.one(store_.width(a));
      if (has(others[is_signed], b, store_.add(a, one)) || has(others[is_signed], store_.sub(b, one), a))
        equations.push_back(store_.eq(b, store_.add(a, one)));
    }
  }
}

/// The value that an equation gives to a variable that it has with a coefficient of one; null if there is none.
Term Premise::known_value(Term fact, Term& variable) {
  if (store_.is_variable(fact)) return variable = fact, store_.boolean(true);
  if (store_.op(fact) == Op::Not && store_.is_variable(store_.child(fact, 0)))
    return variable = store_.child(fact, 0), store_.boolean(false);
  if (store_.op(fact) != Op::Eq || store_.is_array(store_.child(fact, 0))) return {};
  std::optional<term::LinearSum> sum = term::LinearSum::of(store_, store_.child(fact, 0), kMaxMonomials);
  const std::optional<term::LinearSum> right = term::LinearSum::of(store_, store_.child(fact, 1), kMaxMonomials);
  if (!sum || !right) return {};
  const std::uint32_t width = store_.width(store_.child(fact, 0));
  sum->add_multiple(*right, BitVector::ones(width));
  // The newest: registers that change stand behind parameters.
  for (std::size_t i = sum->monomials.size(); i-- > 0;) {
    const term::LinearSum::Monomial chosen = sum->monomials[i];
    if (!store_.is_variable(chosen.term) || !(chosen.coefficient.is_one() || chosen.coefficient.is_ones())) continue;
    term::LinearSum rest = *sum;
    rest.monomials.erase(rest.monomials.begin() + static_cast<std::ptrdiff_t>(i));
    const Term value[] = {rest.to_term(store_)};
    const std::vector<Term> support = term::support(store_, value, room_);
    if (std::ranges::find(support, chosen.term) != support.end()) continue;
    variable = chosen.term;
    return chosen.coefficient.is_one() ? store_.neg(value[0]) : value[0];
  }
  return {};
}

/// One replacement of each variable; false if there is nothing to replace.
bool Premise::replace_equals() {
  std::vector<Term> equations = assumptions_;
  find_equal_orders(equations);
  term::Substitution substitution(store_);
  term::TermSet replaced;
  term::TermSet used;
  for (const Term fact : equations) {
    Term variable;
    const Term value[] = {known_value(fact, variable)};
    if (!value[0] || replaced.contains(variable) || used.contains(variable)) continue;
    const std::vector<Term> support = term::support(store_, value, room_);
    // Replacements are made at once, so none may speak of what another one replaces.
    if (std::ranges::any_of(support, [&](Term t) { return replaced.contains(t); })) continue;
    replaced[variable] = {};
    for (const Term t : support) used[t] = {};
    substitution.add(variable, value[0]);
  }
  if (substitution.empty()) return false;
  replace(std::move(substitution));
  return true;
}

void Premise::replace(term::Substitution substitution) {
  std::vector<Term> facts;
  for (const Term fact : assumptions_) facts.push_back(substitution.apply(fact));
  replacements_.push_back(std::move(substitution));
  split(facts);
}

Term Premise::apply(Term t) {
  for (term::Substitution& substitution : replacements_) t = substitution.apply(t);
  return with_products_expanded(store_, t);
}

bool Premise::implies(Term t) {
  if (store_.is_true(t) || std::ranges::binary_search(assumptions_, t)) return true;
  if (store_.op(t) != Op::Eq) return false;
  const Term root[] = {t};
  return equations_.imply(t) || (term::dag_size(store_, root) <= kMaxCaseSize && implies_by_cases(t, 0));
}

bool Premise::implies_by_cases(Term t, unsigned depth) {
  Term condition;
  room_.clear();
  const Term root[] = {t};
  term::post_order(store_, root, room_, [&](Term u) {
    if (store_.op(u) == Op::Ite && !store_.is_array(u)) condition = store_.child(u, 0);
  });
  if (!condition) return depth > 0 && (store_.is_true(t) || equations_.imply(t));
  if (depth >= kMaxCases) return false;
  for (const bool value : {true, false}) {
    term::Substitution fixed(store_);
    fixed.add(condition, store_.boolean(value));
    const Term there = fixed.apply(t);
    if (!store_.is_true(there) && !implies_by_cases(there, depth + 1)) return false;
  }
  return true;
}

}  // namespace plumb::prove
