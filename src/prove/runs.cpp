#include "prove/runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "system/array_expansion.h"
#include "system/expand_arrays.h"
#include "term/substitution.h"

namespace plumb::prove {
namespace {

/// Next values of the control state that are told apart on one way.
constexpr std::size_t kMaxTargets = 32;
/// Places beyond this many are merged into one with an unknown value.
constexpr std::size_t kMaxPlaces = 128;

/// The value of a variable, or of the elements of an array.
std::optional<term::Value> value_of(const term::TermStore& store, const term::Assignment& model, term::Sort sort,
                                    const std::vector<Term>& variables) {
  if (variables.empty()) return std::nullopt;
  const auto value = [&](Term variable) {
    const auto found = model.find(variable);
    return found == model.end() ? term::zero_value(store.sort(variable)) : found->second;
  };
  if (!sort.is_array() || variables.size() == 1) return value(variables.front());
  term::ArrayValue array{sort.index_width, BitVector(sort.width, 0), {}};
  for (std::uint64_t i = 0; i < variables.size(); ++i)
    array.elements.emplace(BitVector(sort.index_width, i), std::get<BitVector>(value(variables[i])));
  return array;
}

}  // namespace

/// The system's terms in one place of one step: with what states and inputs are there.
class Runs::Terms {
 public:
  Terms(term::TermStore& store, bool expands)
      : store_(store),
        expands_(expands),
        expansion_(store, store, ~std::uint64_t{0}, system::ArrayExpansion::Indices::NearlyConstant) {}

  bool expands() const noexcept { return expands_; }
  void restart() {
    expansion_.restart();
    substitution_.emplace(store_);
  }
  void bind(Term variable, const Elements& elements) {
    if (expands_)
      expansion_.bind(variable, elements);
    else
      substitution_->add(variable, elements.front());
  }
  Elements elements(Term t) {
    if (!expands_) return {substitution_->apply(t)};
    const auto found = expansion_.expand(t);
    return {found.begin(), found.end()};
  }
  Term word(Term t) { return expands_ ? expansion_.expand(t).front() : substitution_->apply(t); }

 private:
  term::TermStore& store_;
  bool expands_;
  system::ArrayExpansion expansion_;
  std::optional<term::Substitution> substitution_;
};

Runs::Runs(System& system)
    : system_(system),
      locations_(system),
      terms_(std::make_unique<Terms>(system.store(), system::cell_count(system) <= kMaxCells)) {
  const auto is_constant = [&](const system::State& state) {
    return !system.store().is_array(state.variable) || state.next == state.variable;
  };
  tells_indices_apart_ = terms_->expands() && std::ranges::all_of(system.states(), is_constant);
  free_.emplace_back(system.states().size());
  terms_->restart();
  Place start{std::nullopt, system.store().boolean(true), {}};
  for (std::size_t i = 0; i < system.states().size(); ++i) {
    const system::State& state = system.states()[i];
    if (!state.init) free_.front()[i] = fresh(state.variable, system.state_name(i), 0);
    // Of states before this one, which are bound.
    start.states.push_back(state.init ? terms_->elements(state.init) : free_.front()[i]);
    terms_->bind(state.variable, start.states.back());
  }
  if (const auto control = locations_.state()) start.value = system.store().value(start.states[*control].front());
  now_.push_back(std::move(start));
  add_inputs();
  evaluate(Budget());
}

Runs::~Runs() = default;

Runs::Elements Runs::fresh(Term variable, const std::string& name, std::size_t step) {
  term::TermStore& store = system_.store();
  const term::Sort sort = store.sort(variable);
  if (!sort.is_array() || !terms_->expands()) return {store.variable(sort, fmt::format("{}@{}", name, step))};
  Elements elements;
  for (std::uint64_t i = 0; i < std::uint64_t{1} << sort.index_width; ++i)
    elements.push_back(store.variable(sort.width, fmt::format("{}[{}]@{}", name, i, step)));
  return elements;
}

void Runs::add_inputs() {
  const std::size_t step = inputs_.size();
  std::vector<Elements>& made = inputs_.emplace_back();
  for (std::size_t i = 0; i < system_.inputs().size(); ++i)
    made.push_back(fresh(system_.inputs()[i], system_.input_name(i), step));
}

void Runs::bind(const Place& place, std::size_t step) {
  terms_->restart();
  for (std::size_t i = 0; i < place.states.size(); ++i) terms_->bind(system_.states()[i].variable, place.states[i]);
  for (std::size_t i = 0; i < system_.inputs().size(); ++i) terms_->bind(system_.inputs()[i], inputs_[step][i]);
}

/// The terms of the newest step, and no places that constraints exclude.
void Runs::evaluate(const Budget& budget) {
  term::TermStore& store = system_.store();
  std::vector<Term> bads;
  std::vector<Term> constraints;
  std::vector<Place> possible;
  for (Place& place : now_) {
    budget.check();
    const LocationStep& step = locations_.step(place.value);
    bind(place, inputs_.size() - 1);
    const Term allowed = terms_->word(step.constraints);
    constraints.push_back(store.implies(place.guard, allowed));
    if (store.is_false(allowed)) continue;
    bads.push_back(store.bit_and(place.guard, terms_->word(step.bad)));
    possible.push_back(std::move(place));
  }
  now_ = std::move(possible);
  bad_ = store.any_of(bads);
  constraints_ = store.all_of(constraints);
}

void Runs::leave(std::size_t from) {
  term::TermStore& store = system_.store();
  const Place& place = before_[from];
  const LocationStep& step = locations_.step(place.value);
  bind(place, inputs_.size() - 2);
  for (const LocationStep::Edge& edge : step.edges) {
    const Term guard = store.bit_and(place.guard, terms_->word(edge.condition));
    if (store.is_false(guard)) continue;
    Place to{edge.target, guard, {}};
    for (std::size_t i = 0; i < edge.nexts.size(); ++i)
      to.states.push_back(edge.nexts[i] ? terms_->elements(edge.nexts[i]) : free_.back()[i]);
    note_arrival(std::move(to), from);
  }
}

/// Where the control state's value is not known beforehand (a return address) it may be a choice of constants here.
void Runs::note_arrival(Place place, std::size_t from) {
  term::TermStore& store = system_.store();
  const auto control = locations_.state();
  Leaves leaves{{}, true};
  if (control && !place.value) leaves = leaves_of(store, place.states[*control].front(), kMaxTargets);
  if (leaves.has_others) {
    tell_apart(std::move(place), from, 0);
    return;
  }
  for (const BitVector& value : leaves.constants) {
    const Term constant = store.constant(value);
    const Term guard = store.bit_and(place.guard, store.eq(place.states[*control].front(), constant));
    if (store.is_false(guard)) continue;
    Place known{value, guard, place.states};
    known.states[*control] = {constant};
    tell_apart(std::move(known), from, 0);
  }
}

/// By the values of states, from `first_state` on, that are choices among constants.
void Runs::tell_apart(Place place, std::size_t from, std::size_t first_state) {
  term::TermStore& store = system_.store();
  const bool wants = tells_indices_apart_ && place.value && !locations_.step(place.value).is_at_rest;
  for (std::size_t i = first_state; wants && i < place.states.size(); ++i) {
    if (place.states[i].size() > 1 || arrivals_.size() > kMaxPlaces / 2) continue;
    const Term state = place.states[i].front();
    if (store.op(state) != term::Op::Ite || store.width(state) == 1) continue;
    const Leaves leaves = leaves_of(store, state, kMaxTargets);
    if (leaves.has_others) continue;
    for (const BitVector& value : leaves.constants) {
      const Term constant = store.constant(value);
      const Term guard = store.bit_and(place.guard, store.eq(state, constant));
      if (store.is_false(guard)) continue;
      Place known = place;
      known.guard = guard;
      known.states[i] = {constant};
      tell_apart(std::move(known), from, i + 1);
    }
    return;
  }
  if (wants)
    for (std::size_t i = 0; i < place.states.size(); ++i)
      if (place.states[i].size() == 1 && store.is_constant(place.states[i].front()))
        place.common.emplace_back(i, store.value(place.states[i].front()));
  arrivals_.push_back({std::move(place), from});
}

void Runs::arrive(const Budget& budget) {
  term::TermStore& store = system_.store();
  std::map<std::pair<std::optional<BitVector>, std::vector<std::pair<std::size_t, BitVector>>>, std::size_t> known;
  for (const Arrival& arrival : arrivals_) {
    budget.check();
    const Place& one = arrival.place;
    const auto [found, is_new] = known.try_emplace({one.value, one.common}, now_.size());
    if (is_new) {
      now_.push_back(one);
      continue;
    }
    Place& merged = now_[found->second];
    for (std::size_t i = 0; i < one.states.size(); ++i)
      for (std::size_t j = 0; j < one.states[i].size(); ++j)
        merged.states[i][j] = store.ite(one.guard, one.states[i][j], merged.states[i][j]);
    merged.guard = store.bit_or(merged.guard, one.guard);
  }
}

void Runs::extend(const Budget& budget) {
  before_ = std::move(now_);
  now_.clear();
  arrivals_.clear();
  free_.emplace_back(system_.states().size());
  for (std::size_t i = 0; i < system_.states().size(); ++i)
    if (!system_.states()[i].next)
      free_.back()[i] = fresh(system_.states()[i].variable, system_.state_name(i), inputs_.size());
  add_inputs();
  for (std::size_t i = 0; i < before_.size(); ++i) {
    budget.check();
    leave(i);
  }
  // Each place keeps a copy of all states.
  if (arrivals_.size() > kMaxPlaces)
    for (Arrival& arrival : arrivals_) {
      arrival.place.value.reset();
      arrival.place.common.clear();
    }
  arrive(budget);
  evaluate(budget);
}

Term Runs::changed(const Budget& budget) {
  INVARIANT(step() > 0, "a step that may have changed something should have one before it");
  term::TermStore& store = system_.store();
  std::vector<Term> changes;
  for (const auto& [place, from] : arrivals_) {
    budget.check();
    std::vector<Term> different;
    for (std::size_t i = 0; i < place.states.size(); ++i)
      if (system_.states()[i].next)
        for (std::size_t j = 0; j < place.states[i].size(); ++j)
          different.push_back(store.distinct(place.states[i][j], before_[from].states[i][j]));
    changes.push_back(store.bit_and(place.guard, store.any_of(different)));
  }
  return store.any_of(changes);
}

Trace Runs::trace(const term::Assignment& model) const {
  const term::TermStore& store = system_.store();
  const auto state_value = [&](std::size_t step, std::size_t i) {
    return value_of(store, model, store.sort(system_.states()[i].variable), free_[step][i]);
  };
  Trace trace;
  for (std::size_t i = 0; i < system_.states().size(); ++i) trace.initial.push_back(state_value(0, i));
  for (std::size_t step = 0; step < inputs_.size(); ++step) {
    Trace::Step& choices = trace.steps.emplace_back();
    for (std::size_t i = 0; i < system_.inputs().size(); ++i)
      choices.inputs.push_back(value_of(store, model, store.sort(system_.inputs()[i]), inputs_[step][i]));
    choices.states.resize(system_.states().size());
    if (step > 0)
      for (std::size_t i = 0; i < system_.states().size(); ++i) choices.states[i] = state_value(step, i);
  }
  return trace;
}

}  // namespace plumb::prove
