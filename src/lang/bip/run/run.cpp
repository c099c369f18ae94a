#include "lang/bip/run/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace plumb::bip {

namespace {

bool contains(const std::vector<std::uint32_t>& list, std::uint32_t element) {
  return std::ranges::find(list, element) != list.end();
}

/// The transition that the choice has for a component.
std::optional<std::uint32_t> chosen(const Choice& choice, ComponentId component) {
  for (const auto& [mover, transition] : choice.transitions)
    if (mover == component) return transition;
  return std::nullopt;
}

}  // namespace

Run::Run(const Model& model, const std::vector<std::optional<std::int64_t>>& initial)
    : model_(model), priorities_(model.interactions.size()) {
  for (std::uint32_t i = 0; i < model.priorities.size(); ++i) priorities_[model.priorities[i].low].push_back(i);
  state_.values.assign(model.variables.size(), 0);
  for (std::size_t v = 0; v < initial.size() && !model.initialize_variables; ++v) {
    if (!initial[v] || model.variables[v].component == kNone) continue;
    state_.values[v] = model.variables[v].type == Type::Bool ? static_cast<std::int64_t>(*initial[v] != 0)
                                                             : wrap(*initial[v], model.bits);
  }
  for (const Model::Component& component : model.components) {
    state_.places.push_back(component.initial_place);
    execute(component.initial_action, state_.values, model.bits);
  }
}

bool Run::holds(const ExpressionPtr& condition, const Values& values) const {
  return condition == nullptr || evaluate(*condition, values, model_.bits) != 0;
}

std::vector<std::uint32_t> Run::enabled_transitions(ComponentId component, std::uint32_t port) const {
  std::vector<std::uint32_t> enabled;
  const std::vector<Model::Transition>& transitions = model_.components[component].transitions;
  for (std::uint32_t t = 0; t < transitions.size(); ++t) {
    const Model::Transition& transition = transitions[t];
    if (transition.port == port && transition.from == state_.places[component] &&
        holds(transition.guard, state_.values))
      enabled.push_back(t);
  }
  return enabled;
}

std::vector<std::uint32_t> Run::transitions(const Model::PortUse& port) const {
  return enabled_transitions(port.component, port.port);
}

std::vector<std::vector<std::uint32_t>> Run::internal_transitions() const {
  std::vector<std::vector<std::uint32_t>> enabled;
  bool is_any = false;
  for (ComponentId c = 0; c < model_.components.size(); ++c) {
    enabled.push_back(enabled_transitions(c, kNone));
    is_any = is_any || !enabled.back().empty();
  }
  if (!is_any) enabled.clear();
  return enabled;
}

bool Run::is_stable() const { return internal_transitions().empty(); }

bool Run::is_enabled(const Model::PortUse& port) const {
  if (transitions(port).empty()) return false;
  return std::ranges::none_of(model_.components[port.component].priorities, [&](const Model::PortPriority& priority) {
    return priority.low == port.port && holds(priority.condition, state_.values) &&
           !enabled_transitions(port.component, priority.high).empty();
  });
}

std::optional<Values> Run::staged(const Model::Interaction& interaction) const {
  Values values = state_.values;
  for (const Model::Stage& stage : interaction.stages) {
    if (!holds(stage.guard, values)) return std::nullopt;
    execute(stage.up, values, model_.bits);
  }
  return values;
}

bool Run::is_enabled(InteractionId interaction) const {
  const Model::Interaction& i = model_.interactions[interaction];
  return std::ranges::all_of(i.ports, [&](const Model::PortUse& port) { return is_enabled(port); }) &&
         staged(i).has_value() &&
         std::ranges::all_of(i.maximal_inside, [&](InteractionId inside) { return is_maximal(inside); });
}

std::optional<InteractionId> Run::overruling(InteractionId interaction) const {
  for (const std::uint32_t index : priorities_[interaction]) {
    const Model::Priority& priority = model_.priorities[index];
    if (holds(priority.condition, state_.values) && is_enabled(priority.high)) return priority.high;
  }
  return std::nullopt;
}

bool Run::is_maximal(InteractionId interaction) const { return is_enabled(interaction) && !overruling(interaction); }

std::vector<InteractionId> Run::choices() const {
  INVARIANT(is_stable(), "internal transitions should come before interactions");
  std::vector<InteractionId> choices;
  for (InteractionId i = 0; i < model_.interactions.size(); ++i)
    if (model_.interactions[i].is_executable && is_maximal(i)) choices.push_back(i);
  return choices;
}

bool Run::is_deadlocked() const { return is_stable() && choices().empty(); }

Choice Run::first_choice(InteractionId interaction) const {
  Choice choice{interaction, {}};
  for (const Model::PortUse& port : model_.interactions[interaction].ports) {
    const std::vector<std::uint32_t> enabled = transitions(port);
    INVARIANT(!enabled.empty(), "a port of the interaction should be enabled");
    choice.transitions.emplace_back(port.component, enabled.front());
  }
  return choice;
}

Choice Run::first_internal_choice() const {
  Choice choice;
  const std::vector<std::vector<std::uint32_t>> enabled = internal_transitions();
  for (ComponentId c = 0; c < enabled.size(); ++c)
    if (!enabled[c].empty()) choice.transitions.emplace_back(c, enabled[c].front());
  return choice;
}

std::string Run::objection_to_internal(const Choice& choice) const {
  const std::vector<std::vector<std::uint32_t>> enabled = internal_transitions();
  if (enabled.empty()) return "no internal transition is enabled";
  for (ComponentId c = 0; c < enabled.size(); ++c) {
    const std::string& name = model_.components[c].name;
    const std::optional<std::uint32_t> transition = chosen(choice, c);
    if (!transition && !enabled[c].empty())
      return fmt::format("component '{}' has to execute one of its internal transitions", name);
    if (transition && !contains(enabled[c], *transition))
      return fmt::format("{}#{} is not an enabled internal transition", name, *transition);
  }
  return {};
}

std::string Run::objection_to_interaction(InteractionId interaction) const {
  const std::vector<std::vector<std::uint32_t>> internal = internal_transitions();
  for (ComponentId c = 0; c < internal.size(); ++c)
    if (!internal[c].empty())
      return fmt::format("component '{}' has an enabled internal transition, and those come first",
                         model_.components[c].name);
  const Model::Interaction& i = model_.interactions[interaction];
  if (!i.is_executable)
    return fmt::format("connector '{}' has an exported port and never fires by itself", i.connector);
  for (const Model::PortUse& port : i.ports)
    if (!is_enabled(port))
      return fmt::format("port '{}.{}' is not enabled", model_.components[port.component].name,
                         model_.components[port.component].ports[port.port].name);
  if (!staged(i)) return "its guard does not hold";
  for (const InteractionId inside : i.maximal_inside)
    if (!is_maximal(inside))
      return fmt::format("'{}' inside it is not enabled or gives way to another", model_.interactions[inside].name);
  if (const std::optional<InteractionId> high = overruling(interaction))
    return fmt::format("it gives way to '{}'", model_.interactions[*high].name);
  return {};
}

std::string Run::objection_to_transitions(const Choice& choice) const {
  const std::vector<Model::PortUse>& ports = model_.interactions[choice.interaction].ports;
  for (const auto& [component, transition] : choice.transitions)
    if (std::ranges::find(ports, component, &Model::PortUse::component) == ports.end())
      return fmt::format("component '{}' does not take part", model_.components[component].name);
  for (const Model::PortUse& port : ports) {
    const Model::Component& component = model_.components[port.component];
    const std::optional<std::uint32_t> transition = chosen(choice, port.component);
    if (!transition) return fmt::format("component '{}' has to execute a transition", component.name);
    if (!contains(transitions(port), *transition))
      return fmt::format("{}#{} is not an enabled transition of port '{}'", component.name, *transition,
                         component.ports[port.port].name);
  }
  return {};
}

std::string Run::objection(const Choice& choice) const {
  const auto by_component = [](const auto& a, const auto& b) { return a.first < b.first; };
  const auto same_component = [](const auto& a, const auto& b) { return a.first == b.first; };
  INVARIANT(std::ranges::is_sorted(choice.transitions, by_component) &&
                std::ranges::adjacent_find(choice.transitions, same_component) == choice.transitions.end() &&
                (choice.transitions.empty() || choice.transitions.back().first < model_.components.size()),
            "the transitions of a choice should be sorted by component, one of each");
  if (choice.interaction == kNone) return objection_to_internal(choice);
  INVARIANT(choice.interaction < model_.interactions.size(), "a choice should be an interaction of the model");
  std::string objection = objection_to_interaction(choice.interaction);
  return objection.empty() ? objection_to_transitions(choice) : objection;
}

// Actions see the values of their own component alone, so that their order does not matter.
void Run::execute_transitions(const Choice& choice, Values& values) {
  for (const auto& [component, index] : choice.transitions) {
    const Model::Transition& transition = model_.components[component].transitions[index];
    execute(transition.action, values, model_.bits);
    state_.places[component] = transition.to;
  }
}

void Run::fire(const Choice& choice) {
  const std::string reason = objection(choice);
  INVARIANT(reason.empty(), reason);
  Values values = state_.values;
  if (choice.interaction != kNone) {
    const Model::Interaction& interaction = model_.interactions[choice.interaction];
    values = *staged(interaction);
    execute(interaction.down, values, model_.bits);
  }
  execute_transitions(choice, values);
  std::fill(values.begin() + static_cast<std::ptrdiff_t>(model_.component_variables()), values.end(), 0);
  state_.values = std::move(values);
}

bool Run::has_priority_cycle() const {
  return std::ranges::any_of(model_.priority_cycles,
                             [&](const ExpressionPtr& condition) { return holds(condition, state_.values); });
}

}  // namespace plumb::bip
