#include "lang/bip/encode/enabling.h"

#include <algorithm>

namespace plumb::bip {

Enabling::Enabling(TermStore& store, const Model& model, std::span<const Term> base)
    : store_(store), model_(model), base_(base), values_(store, model, base), interactions_(model.interactions.size()) {
  for (const Model::Priority& priority : model.priorities) interactions_[priority.low].gives_way.push_back(&priority);
  make_ports();
}

Term Enabling::at(ComponentId c, std::uint32_t place) const {
  const Term now = base_[model_.variables.size() + c];
  return store_.eq(now, store_.constant(store_.width(now), place));
}

void Enabling::make_ports() {
  std::vector<Term> internal;
  for (ComponentId c = 0; c < model_.components.size(); ++c) {
    const Model::Component& component = model_.components[c];
    std::vector<std::vector<Term>> of_port(component.ports.size());
    std::vector<Term>& transitions = transitions_.emplace_back();
    for (const Model::Transition& transition : component.transitions) {
      const Term enabled = store_.bit_and(at(c, transition.from), values_.holds(transition.guard));
      transitions.push_back(enabled);
      (transition.port == kNone ? internal : of_port[transition.port]).push_back(enabled);
    }
    std::vector<Term> some;
    for (const std::vector<Term>& alternatives : of_port) some.push_back(store_.any_of(alternatives));
    std::vector<Term>& ports = ports_.emplace_back(some);
    for (const Model::PortPriority& priority : component.priorities) {
      const Term yields = store_.bit_and(some[priority.high], values_.holds(priority.condition));
      ports[priority.low] = store_.bit_and(ports[priority.low], store_.bit_not(yields));
    }
  }
  stable_ = store_.bit_not(store_.any_of(internal));
}

void Enabling::prepare(InteractionId id) {
  if (interactions_[id].enabled) return;
  const Model::Interaction& interaction = model_.interactions[id];
  std::vector<Term> conditions;
  for (const Model::PortUse& use : interaction.ports) conditions.push_back(port(use));
  Symbolic values = values_;
  for (const Model::Stage& stage : interaction.stages) {
    conditions.push_back(values.holds(stage.guard));
    values.execute(stage.up);
  }
  values.execute(interaction.down);
  for (const InteractionId inside : interaction.maximal_inside) conditions.push_back(maximal(inside));
  interactions_[id].enabled = store_.all_of(conditions);
  for (const auto& [variable, value] : values.written())
    if (model_.variables[variable].component != kNone) interactions_[id].moved.emplace(variable, value);
}

Term Enabling::enabled(InteractionId interaction) {
  prepare(interaction);
  return interactions_[interaction].enabled;
}

const std::map<VariableId, Term>& Enabling::moved(InteractionId interaction) {
  prepare(interaction);
  return interactions_[interaction].moved;
}

Term Enabling::maximal(InteractionId id) {
  if (interactions_[id].maximal) return interactions_[id].maximal;
  // Many give way to the same ones: in the order of ids their disjunction is one term.
  std::vector<std::pair<InteractionId, Term>> higher;
  for (const Model::Priority* priority : interactions_[id].gives_way)
    higher.emplace_back(priority->high, store_.bit_and(enabled(priority->high), values_.holds(priority->condition)));
  std::ranges::sort(higher);
  std::vector<Term> terms;
  for (const auto& [unused, term] : higher) terms.push_back(term);
  const Term maximal = store_.bit_and(enabled(id), store_.bit_not(store_.any_of(terms)));
  interactions_[id].maximal = maximal;
  return maximal;
}

bool Enabling::priorities_are_harmless() const {
  return model_.priority_cycles.empty() && std::ranges::all_of(model_.priorities, [&](const Model::Priority& priority) {
           return model_.interactions[priority.high].is_executable || !model_.interactions[priority.low].is_executable;
         });
}

Term Enabling::some_maximal() {
  const bool harmless = priorities_are_harmless();
  std::vector<Term> terms;
  for (InteractionId id = 0; id < model_.interactions.size(); ++id)
    if (model_.interactions[id].is_executable) terms.push_back(harmless ? enabled(id) : maximal(id));
  return store_.any_of(terms);
}

}  // namespace plumb::bip
