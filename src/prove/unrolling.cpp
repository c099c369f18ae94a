#include "prove/unrolling.h"

#include <fmt/format.h>

#include "base/error.h"
#include "term/traverse.h"

namespace plumb::prove {
namespace {

/// Comparisons of states between two looks at the budget.
constexpr std::size_t kPoll = 64;

}  // namespace

Unrolling::Frame& Unrolling::frame(std::size_t step) {
  while (frames_.size() <= step) add_frame();
  return frames_[step];
}

void Unrolling::add_frame() {
  term::TermStore& store = system_.store();
  const std::size_t step = frames_.size();
  const bool is_initial = step == 0 && start_ == Start::Initial;
  Frame next(store);
  for (std::size_t i = 0; i < system_.states().size(); ++i) {
    const system::State& state = system_.states()[i];
    Term value;
    if (is_initial && state.init) {
      // Of states before this one, which the substitution has.
      value = next.substitution.apply(state.init);
    } else if (step > 0 && state.next) {
      value = frames_.back().substitution.apply(state.next);
    } else {
      value = store.variable(store.sort(state.variable), fmt::format("{}@{}", system_.state_name(i), step));
    }
    next.states.push_back(value);
    next.substitution.add(state.variable, value);
  }
  for (std::size_t i = 0; i < system_.inputs().size(); ++i) {
    const Term input = system_.inputs()[i];
    next.inputs.push_back(store.variable(store.sort(input), fmt::format("{}@{}", system_.input_name(i), step)));
    next.substitution.add(input, next.inputs.back());
  }
  frames_.push_back(std::move(next));
}

Term Unrolling::at(Term t, std::size_t step) { return frame(step).substitution.apply(t); }

Term Unrolling::constraints(std::size_t step) {
  std::vector<Term> all;
  for (const system::NamedTerm& constraint : system_.constraints()) all.push_back(at(constraint.term, step));
  return system_.store().all_of(all);
}

std::vector<std::size_t> Unrolling::compared_states() const {
  std::vector<Term> inits;
  for (const system::State& state : system_.states())
    if (state.init) inits.push_back(state.init);
  term::TermSet in_inits;
  for (const Term variable : term::support(system_.store(), inits)) in_inits[variable] = {};
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < system_.states().size(); ++i) {
    const system::State& state = system_.states()[i];
    if (state.next || state.init || in_inits.contains(state.variable)) result.push_back(i);
  }
  return result;
}

Term Unrolling::differ(std::size_t a, std::size_t b, const Budget& budget) {
  if (!compared_) compared_ = compared_states();
  std::vector<Term> different;
  for (const std::size_t i : *compared_) {
    if (different.size() % kPoll == 0) budget.check();
    different.push_back(system_.store().distinct(state(i, a), state(i, b)));
  }
  return system_.store().any_of(different);
}

Trace Unrolling::trace(const term::Assignment& model, std::size_t last) {
  INVARIANT(start_ == Start::Initial, "a trace should start in the first step of a run");
  const auto value = [&](Term variable) -> std::optional<term::Value> {
    const auto found = model.find(variable);
    return found == model.end() ? term::zero_value(system_.store().sort(variable)) : found->second;
  };
  Trace trace;
  trace.initial.resize(system_.states().size());
  for (std::size_t step = 0; step <= last; ++step) {
    Trace::Step& choices = trace.steps.emplace_back();
    for (const Term input : frame(step).inputs) choices.inputs.push_back(value(input));
    choices.states.resize(system_.states().size());
    for (std::size_t i = 0; i < system_.states().size(); ++i) {
      const system::State& of = system_.states()[i];
      if (step == 0 && !of.init) trace.initial[i] = value(state(i, 0));
      if (step > 0 && !of.next) choices.states[i] = value(state(i, step));
    }
  }
  return trace;
}

}  // namespace plumb::prove
