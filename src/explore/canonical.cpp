#include "explore/canonical.h"

#include <algorithm>
#include <array>
#include <optional>

#include "term/substitution.h"
#include "term/traverse.h"

namespace plumb::explore {

using term::Op;

namespace {

/// The variable and its only value, if that is what the constraint says.
std::optional<std::pair<Term, Term>> definition(TermStore& terms, Term constraint) {
  if (terms.is_variable(constraint)) return std::pair(constraint, terms.boolean(true));
  if (terms.op(constraint) == Op::Not && terms.is_variable(terms.child(constraint, 0)))
    return std::pair(terms.child(constraint, 0), terms.boolean(false));
  if (terms.op(constraint) != Op::Eq) return std::nullopt;
  const Term a = terms.child(constraint, 0);
  const Term b = terms.child(constraint, 1);
  if (terms.is_variable(a) && terms.is_constant(b)) return std::pair(a, b);
  if (terms.is_variable(b) && terms.is_constant(a)) return std::pair(b, a);
  return std::nullopt;
}

}  // namespace

Store::Data Canoniser::canonical(Store::Data data) {
  renamed_.clear();
  substitute_known(data);
  drop_unused(data);
  rename(data);
  return data;
}

void Canoniser::substitute_known(Store::Data& data) {
  for (;;) {
    for (std::size_t c = 0; c < data.constraints.size(); ++c) {
      while (terms_.op(data.constraints[c]) == Op::And) {
        const Term both = data.constraints[c];
        data.constraints[c] = terms_.child(both, 0);
        data.constraints.push_back(terms_.child(both, 1));
      }
    }
    term::Substitution known(terms_);
    absl::flat_hash_map<Term, Term> seen;
    for (const Term constraint : data.constraints)
      if (const auto found = definition(terms_, constraint); found && seen.emplace(*found).second)
        known.add(found->first, found->second);
    if (known.empty()) return;
    for (Term& value : data.values) value = known.apply(value);
    std::vector<Term> left;
    for (const Term constraint : data.constraints)
      if (const Term now = known.apply(constraint); !terms_.is_true(now)) left.push_back(now);
    data.constraints = std::move(left);
  }
}

std::vector<Term> Canoniser::variables_of(Term t) {
  if (const auto known = variables_.find(t); known != variables_.end()) return known->second;
  std::vector<Term> found;
  // In the order in which a walk over the term meets them, which depends on its shape alone.
  absl::flat_hash_map<Term, bool> seen;
  std::vector<Term> stack{t};
  while (!stack.empty()) {
    const Term top = stack.back();
    stack.pop_back();
    if (!seen.emplace(top, true).second) continue;
    if (terms_.is_variable(top)) found.push_back(top);
    for (unsigned i = terms_.arity(top); i-- > 0;) stack.push_back(terms_.child(top, i));
  }
  return variables_.emplace(t, std::move(found)).first->second;
}

void Canoniser::drop_unused(Store::Data& data) {
  absl::flat_hash_map<Term, bool> is_used;
  for (const Term value : data.values)
    for (const Term v : variables_of(value)) is_used[v] = true;
  std::vector<bool> is_kept(data.constraints.size(), false);
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::size_t c = 0; c < data.constraints.size(); ++c) {
      if (is_kept[c]) continue;
      const std::vector<Term> variables = variables_of(data.constraints[c]);
      if (std::ranges::none_of(variables, [&](Term v) { return is_used.contains(v); })) continue;
      is_kept[c] = is_changed = true;
      for (const Term v : variables) is_used[v] = true;
    }
  }
  std::vector<Term> kept;
  for (std::size_t c = 0; c < data.constraints.size(); ++c)
    if (is_kept[c]) kept.push_back(data.constraints[c]);
  data.constraints = std::move(kept);
}

void Canoniser::rename(Store::Data& data) {
  term::Substitution names(terms_);
  absl::flat_hash_map<std::uint32_t, std::size_t> used;
  absl::flat_hash_map<Term, bool> seen;
  const auto name_variables = [&](Term t) {
    for (const Term v : variables_of(t)) {
      if (!seen.emplace(v, true).second) continue;
      std::vector<Term>& pool = pool_[terms_.width(v)];
      std::size_t& next = used[terms_.width(v)];
      if (next == pool.size()) pool.push_back(terms_.variable(terms_.width(v), "known"));
      names.add(v, pool[next]);
      renamed_.emplace_back(v, pool[next]);
      ++next;
    }
  };
  for (const Term value : data.values) name_variables(value);
  for (const Term constraint : data.constraints) name_variables(constraint);
  for (Term& value : data.values) value = names.apply(value);
  for (Term& constraint : data.constraints) constraint = names.apply(constraint);
  std::ranges::sort(data.constraints);
  data.constraints.erase(std::unique(data.constraints.begin(), data.constraints.end()), data.constraints.end());
}

}  // namespace plumb::explore
