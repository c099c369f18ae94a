#include <algorithm>

#include "system/to_circuit.h"

namespace plumb::system {

namespace {

using Choices = std::vector<std::optional<Value>>;

void set_bit(Choices& choices, Sort sort, const BitPlace& place, bool bit) {
  if (choices.size() <= place.position) choices.resize(place.position + 1);
  std::optional<Value>& choice = choices[place.position];
  if (!choice) choice = term::zero_value(sort);
  if (!sort.is_array()) {
    std::get<BitVector>(*choice).set_bit(place.bit, bit);
    return;
  }
  auto& array = std::get<term::ArrayValue>(*choice);
  BitVector& element =
      array.elements.try_emplace(BitVector(sort.index_width, place.element), array.otherwise).first->second;
  element.set_bit(place.bit, bit);
}

bool bit_of(const Choices& choices, Sort sort, const BitPlace& place) {
  if (place.position >= choices.size() || !choices[place.position]) return false;
  const Value& value = *choices[place.position];
  if (!sort.is_array()) return std::get<BitVector>(value).bit(place.bit);
  return std::get<term::ArrayValue>(value).at(BitVector(sort.index_width, place.element)).bit(place.bit);
}

}  // namespace

Trace SystemCircuit::to_system(const System& system, const CircuitTrace& trace) const {
  const TermStore& store = system.store();
  const auto state_sort = [&](const BitPlace& p) { return store.sort(system.states()[p.position].variable); };
  Trace result;
  result.steps.resize(trace.inputs.size());
  for (std::size_t i = 0; i < std::min(latches.size(), trace.latches.size()); ++i)
    if (const auto& place = latches[i].choice) set_bit(result.initial, state_sort(*place), *place, trace.latches[i]);
  for (std::size_t k = 0; k < trace.inputs.size(); ++k) {
    for (std::size_t i = 0; i < std::min(inputs.size(), trace.inputs[k].size()); ++i) {
      const auto& [kind, place] = inputs[i];
      const bool bit = trace.inputs[k][i];
      if (kind == InputPlace::Kind::Input)
        set_bit(result.steps[k].inputs, store.sort(system.inputs()[place.position]), place, bit);
      else if (kind == InputPlace::Kind::State)
        set_bit(k == 0 ? result.initial : result.steps[k].states, state_sort(place), place, bit);
      else if (k + 1 < trace.inputs.size())
        set_bit(result.steps[k + 1].states, state_sort(place), place, bit);
    }
  }
  return result;
}

CircuitTrace SystemCircuit::to_circuit(const System& system, const Trace& trace) const {
  const TermStore& store = system.store();
  const auto state_sort = [&](const BitPlace& p) { return store.sort(system.states()[p.position].variable); };
  const auto states_of = [&](std::size_t k) -> const Choices& {
    return k == 0 ? trace.initial : trace.steps[k].states;
  };
  CircuitTrace result;
  for (const LatchPlace& latch : latches)
    result.latches.push_back(latch.choice && bit_of(trace.initial, state_sort(*latch.choice), *latch.choice));
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    std::vector<bool>& step = result.inputs.emplace_back();
    for (const auto& [kind, place] : inputs) {
      if (kind == InputPlace::Kind::Input)
        step.push_back(bit_of(trace.steps[k].inputs, store.sort(system.inputs()[place.position]), place));
      else if (kind == InputPlace::Kind::State)
        step.push_back(bit_of(states_of(k), state_sort(place), place));
      else
        step.push_back(k + 1 < trace.steps.size() && bit_of(states_of(k + 1), state_sort(place), place));
    }
  }
  return result;
}

System system_of(const circuit::Aig& aig) {
  System system;
  TermStore& store = system.store();
  std::vector<Term> values(aig.size());
  values[0] = store.boolean(false);
  const auto term_of = [&](circuit::Lit lit) {
    return lit.complemented() ? store.bit_not(values[lit.node()]) : values[lit.node()];
  };
  for (const circuit::Latch& latch : aig.latches()) values[latch.node] = system.add_state({1, 0}, latch.name);
  for (const circuit::Aig::Input& input : aig.inputs()) values[input.node] = system.add_input({1, 0}, input.name);
  for (std::uint32_t node = 1; node < aig.size(); ++node)
    if (aig.is_and(node)) values[node] = store.bit_and(term_of(aig.fanin0(node)), term_of(aig.fanin1(node)));
  for (std::size_t i = 0; i < aig.latches().size(); ++i) {
    const circuit::Latch& latch = aig.latches()[i];
    if (latch.init != circuit::LatchInit::Free)
      system.set_init(i, store.boolean(latch.init == circuit::LatchInit::One));
    system.set_next(i, term_of(latch.next));
  }
  for (const circuit::NamedLit& output : aig.outputs()) {
    if (aig.bads().empty())
      system.add_bad(term_of(output.lit), output.name);
    else
      system.add_wire(term_of(output.lit), output.name);
  }
  for (const circuit::NamedLit& bad : aig.bads()) system.add_bad(term_of(bad.lit), bad.name);
  for (const circuit::NamedLit& constraint : aig.constraints())
    system.add_constraint(term_of(constraint.lit), constraint.name);
  return system;
}

}  // namespace plumb::system
