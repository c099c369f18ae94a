// Programs reach a System by a program counter, and an unrolling that merges the states of all locations in every step
// forgets that a loop counter is k behind k turns: it is only so as long as the loop runs. Kept apart by location, the
// counter stays a constant. This is what the merging at join points does in bounded model checkers of programs (Clarke,
// Kroening and Lerda, "A Tool for Checking ANSI-C Programs", 2004), found again in the transition relation: each value
// of the control state gives a system with that value folded, and each next value one more with the conditions folded
// that lead to it.

#include "prove/locations.h"

#include <algorithm>

#include "term/substitution.h"
#include "term/traverse.h"

namespace plumb::prove {
namespace {

constexpr std::size_t kMaxLocations = 64;
constexpr std::uint32_t kMaxControlWidth = 16;
/// What the steps in all locations together may have more terms than the system.
constexpr std::size_t kGrowth = 3;

/// Terms that all nexts, the first bad and the constraints refer to.
std::vector<Term> roots_of(const System& system) {
  std::vector<Term> roots;
  for (const system::State& state : system.states())
    if (state.next) roots.push_back(state.next);
  roots.push_back(system.bads()[0].term);
  for (const system::NamedTerm& constraint : system.constraints()) roots.push_back(constraint.term);
  return roots;
}

/// Replaces what a true condition says about its conjuncts.
void assume(term::TermStore& store, Term condition, term::Substitution& substitution) {
  std::vector<Term> work = {condition};
  while (!work.empty()) {
    const Term t = work.back();
    work.pop_back();
    if (store.is_constant(t)) continue;
    if (store.op(t) == term::Op::And) {
      work.push_back(store.child(t, 0));
      work.push_back(store.child(t, 1));
    } else if (store.op(t) == term::Op::Not) {
      substitution.add(store.child(t, 0), store.boolean(false));
    } else {
      substitution.add(t, store.boolean(true));
    }
  }
}

}  // namespace

Leaves leaves_of(const term::TermStore& store, Term t, std::size_t limit, bool may_be_bit) {
  Leaves leaves;
  if (may_be_bit && store.sort(t) == term::Sort{1, 0} && !store.is_constant(t)) {
    leaves.constants = {BitVector(1, 0), BitVector(1, 1)};
    return leaves;
  }
  term::TermSet seen;
  std::vector<Term> work = {t};
  while (!work.empty()) {
    const Term leaf = work.back();
    work.pop_back();
    if (seen.contains(leaf)) continue;
    seen[leaf] = {};
    if (store.op(leaf) == term::Op::Ite) {
      work.push_back(store.child(leaf, 1));
      work.push_back(store.child(leaf, 2));
    } else if (store.is_constant(leaf) && leaves.constants.size() < limit) {
      leaves.constants.push_back(store.value(leaf));
    } else {
      leaves.has_others = true;
    }
  }
  std::ranges::sort(leaves.constants);
  return leaves;
}

Locations::Locations(System& system, bool may_be_bit) : system_(system), may_be_bit_(may_be_bit) {
  const term::TermStore& store = system.store();
  std::size_t least = kGrowth * term::dag_size(store, roots_of(system));
  for (std::size_t i = 0; i < system.states().size(); ++i) {
    const auto& [variable, init, next] = system.states()[i];
    if (!init || !next || !store.is_constant(init) || store.width(variable) > kMaxControlWidth) continue;
    const auto size = survey(i, least);
    if (!size || *size >= least) continue;
    least = *size;
    state_ = i;
  }
}

/// The terms of the steps in all values that the state takes; nothing if these are too many or do not end.
std::optional<std::size_t> Locations::survey(std::size_t state, std::size_t limit) {
  term::TermStore& store = system_.store();
  const std::vector<Term> roots = roots_of(system_);
  std::vector<BitVector> values = {store.value(system_.states()[state].init)};
  std::size_t size = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values.size() > kMaxLocations || size > limit) return std::nullopt;
    term::Substitution fixed(store);
    fixed.add(system_.states()[state].variable, store.constant(values[i]));
    std::vector<Term> folded;
    for (const Term root : roots) folded.push_back(fixed.apply(root));
    size += term::dag_size(store, folded);
    const Term next_value = fixed.apply(system_.states()[state].next);
    for (const BitVector& next : leaves_of(store, next_value, kMaxLocations, may_be_bit_).constants)
      if (std::ranges::find(values, next) == values.end()) values.push_back(next);
  }
  return values.size() > 1 ? std::optional(size) : std::nullopt;
}

const LocationStep& Locations::step(const std::optional<BitVector>& value) {
  const auto found = steps_.find(value);
  return found != steps_.end() ? found->second : steps_.emplace(value, make(value)).first->second;
}

LocationStep Locations::make(const std::optional<BitVector>& value) {
  term::TermStore& store = system_.store();
  term::Substitution fixed(store);
  if (value) fixed.add(system_.states()[*state_].variable, store.constant(*value));
  LocationStep step;
  step.bad = fixed.apply(system_.bads()[0].term);
  std::vector<Term> constraints;
  for (const system::NamedTerm& constraint : system_.constraints()) constraints.push_back(fixed.apply(constraint.term));
  step.constraints = store.all_of(constraints);
  std::vector<Term> nexts;
  for (const system::State& state : system_.states()) nexts.push_back(state.next ? fixed.apply(state.next) : Term{});
  step.is_at_rest = true;
  for (std::size_t i = 0; i < nexts.size(); ++i) {
    const bool is_control = value && i == *state_;
    const Term here = is_control ? store.constant(*value) : system_.states()[i].variable;
    if (nexts[i] && nexts[i] != here) step.is_at_rest = false;
  }
  if (!value) {
    step.edges.push_back({std::nullopt, store.boolean(true), std::move(nexts)});
    return step;
  }
  const Term control = nexts[*state_];
  const Leaves leaves = leaves_of(store, control, kMaxLocations, may_be_bit_);
  Term others = store.boolean(true);
  for (const BitVector& target : leaves.constants) {
    const Term condition = store.eq(control, store.constant(target));
    others = store.bit_and(others, store.bit_not(condition));
    if (!store.is_false(condition)) step.edges.push_back(edge(nexts, target, condition));
  }
  if (leaves.has_others && !store.is_false(others)) step.edges.push_back(edge(nexts, std::nullopt, others));
  return step;
}

LocationStep::Edge Locations::edge(const std::vector<Term>& nexts, std::optional<BitVector> target, Term condition) {
  term::TermStore& store = system_.store();
  term::Substitution known(store);
  assume(store, condition, known);
  LocationStep::Edge result{std::move(target), condition, {}};
  for (const Term next : nexts) result.nexts.push_back(next ? known.apply(next) : Term{});
  if (result.target) result.nexts[*state_] = store.constant(*result.target);
  return result;
}

}  // namespace plumb::prove
