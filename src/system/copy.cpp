#include "system/copy.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace plumb::system {

namespace {

/// The variables that `roots` depend on, through init and next of states.
term::TermSet needed_variables(const System& system, std::vector<Term> roots) {
  const TermStore& store = system.store();
  term::TermMap<std::size_t> positions;
  for (std::size_t i = 0; i < system.states().size(); ++i) positions[system.states()[i].variable] = i;
  term::TermSet seen;
  term::TermSet needed;
  while (!roots.empty()) {
    std::vector<Term> found;
    term::post_order(store, roots, seen, [&](Term t) {
      if (!store.is_variable(t)) return;
      needed[t] = {};
      const std::size_t* position = positions.find(t);
      if (position == nullptr) return;
      const State& state = system.states()[*position];
      if (state.init) found.push_back(state.init);
      if (state.next) found.push_back(state.next);
    });
    roots = std::move(found);
  }
  return needed;
}

/// Everything but bads; `keeps` says which variables and which terms (by what they refer to) go over.
template <typename KeepsVariable, typename KeepsTerm>
Part select(const System& system, std::span<const std::size_t> bads, const KeepsVariable& keeps_variable,
            const KeepsTerm& keeps_term) {
  Part part;
  const TermStore& from = system.store();
  TermStore& to = part.system.store();
  TermCopier copier(from, to);
  for (std::size_t i = 0; i < system.states().size(); ++i) {
    const Term variable = system.states()[i].variable;
    if (!keeps_variable(variable)) continue;
    copier.declare(variable, part.system.add_state(from.sort(variable), from.name(variable)));
    part.states.push_back(i);
  }
  for (std::size_t i = 0; i < system.inputs().size(); ++i) {
    const Term variable = system.inputs()[i];
    if (!keeps_variable(variable)) continue;
    copier.declare(variable, part.system.add_input(from.sort(variable), from.name(variable)));
    part.inputs.push_back(i);
  }
  for (std::size_t i = 0; i < part.states.size(); ++i) {
    const State& state = system.states()[part.states[i]];
    if (state.init) part.system.set_init(i, copier.copy(state.init));
    if (state.next) part.system.set_next(i, copier.copy(state.next));
  }
  for (const std::size_t bad : bads) {
    part.system.add_bad(copier.copy(system.bads()[bad].term), system.bads()[bad].name);
    part.bads.push_back(bad);
  }
  for (const NamedTerm& constraint : system.constraints())
    part.system.add_constraint(copier.copy(constraint.term), constraint.name);
  for (const NamedTerm& wire : system.wires())
    if (keeps_term(wire.term)) part.system.add_wire(copier.copy(wire.term), wire.name);
  for (const Annotation& annotation : system.annotations())
    if (keeps_term(annotation.term))
      part.system.add_annotation({annotation.name, copier.copy(annotation.term), annotation.texts});
  return part;
}

std::vector<std::size_t> all_bads(const System& system) {
  std::vector<std::size_t> bads(system.bads().size());
  std::iota(bads.begin(), bads.end(), std::size_t{0});
  return bads;
}

}  // namespace

Term TermCopier::copy(Term root) {
  std::vector<Term> stack = {root};
  while (!stack.empty()) {
    const Term t = stack.back();
    if (copies_.contains(t)) {
      stack.pop_back();
      continue;
    }
    const std::size_t before = stack.size();
    const unsigned arity = from_.arity(t);
    for (unsigned i = arity; i-- > 0;)
      if (!copies_.contains(from_.child(t, i))) stack.push_back(from_.child(t, i));
    if (stack.size() != before) continue;
    stack.pop_back();
    if (from_.is_constant(t)) {
      copies_[t] = to_.constant(from_.value(t));
    } else if (from_.is_variable(t)) {
      copies_[t] = to_.variable(from_.sort(t), from_.name(t));
    } else {
      std::array<Term, 3> operands{};
      for (unsigned i = 0; i < arity; ++i) operands[i] = copies_.at(from_.child(t, i));
      copies_[t] = to_.make(from_.op(t), std::span(operands).first(arity), from_.width(t), from_.parameter(t));
    }
  }
  return copies_.at(root);
}

System copy(const System& system) {
  const auto all = [](Term) { return true; };
  return select(system, all_bads(system), all, all).system;
}

Trace Part::widened(const Trace& trace) const {
  const auto widen = [](const std::vector<std::optional<Value>>& values, const std::vector<std::size_t>& positions) {
    std::vector<std::optional<Value>> result;
    for (std::size_t i = 0; i < std::min(values.size(), positions.size()); ++i) {
      if (!values[i]) continue;
      if (result.size() <= positions[i]) result.resize(positions[i] + 1);
      result[positions[i]] = values[i];
    }
    return result;
  };
  Trace result;
  result.initial = widen(trace.initial, states);
  for (const Trace::Step& step : trace.steps)
    result.steps.push_back({widen(step.inputs, inputs), widen(step.states, states)});
  return result;
}

Part cone_of_influence(const System& system, std::span<const std::size_t> bads) {
  std::vector<Term> roots;
  for (const std::size_t bad : bads) roots.push_back(system.bads()[bad].term);
  for (const NamedTerm& constraint : system.constraints()) roots.push_back(constraint.term);
  const term::TermSet needed = needed_variables(system, std::move(roots));
  const TermStore& store = system.store();

  // A term is outside if a variable below it is; found for all wires in one pass.
  std::vector<Term> named;
  for (const NamedTerm& wire : system.wires()) named.push_back(wire.term);
  for (const Annotation& annotation : system.annotations()) named.push_back(annotation.term);
  term::TermSet outside;
  term::TermSet seen;
  term::post_order(store, named, seen, [&](Term t) {
    bool is_outside = store.is_variable(t) && !needed.contains(t);
    for (unsigned i = 0; i < store.arity(t); ++i) is_outside = is_outside || outside.contains(store.child(t, i));
    if (is_outside) outside[t] = {};
  });
  return select(
      system, bads, [&](Term variable) { return needed.contains(variable); },
      [&](Term t) { return !outside.contains(t); });
}

Part cone_of_influence(const System& system) { return cone_of_influence(system, all_bads(system)); }

}  // namespace plumb::system
