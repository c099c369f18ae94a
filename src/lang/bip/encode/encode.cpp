// Listing 4.1 of the BIP{I} paper. The wires of the engine are in enabling.cpp and selection.cpp; this file makes the
// next values of the registers from what is selected.
//
// We deviate from the listing where it contradicts Definition 10. In its second cycle the selected interaction is
// computed again, from data that the first has moved, so that another one, or none, may come out. Here the first cycle
// keeps the interaction that it selected in a register, and where its port and the place leave several transitions also
// the transition, unless guards tell it that look at nothing that is moved: guards are about the values before. In a
// deadlocked state, and where internal transitions are executed, which takes one step, there is no second cycle. Both
// registers are zero in every first cycle, so that states of the system are states of the model there.
//
// The engines of one cycle move the data and execute the transitions on what was moved. A transition is executed under
// the assumption that its port is selected: its values are looked up only in the interactions of that port, and where
// there is but one, without asking for it.

#include "lang/bip/encode/encode.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lang/bip/encode/alternatives.h"
#include "lang/bip/encode/enabling.h"
#include "lang/bip/encode/observers.h"
#include "lang/bip/encode/registers.h"
#include "lang/bip/encode/selection.h"
#include "lang/bip/run/guide.h"
#include "term/traverse.h"

namespace plumb::bip {

namespace {

/// Values under conditions of which at most one holds.
class Cases {
 public:
  void add(Term condition, Term value) {
    for (auto& [other, conditions] : cases_)
      if (other == value) return conditions.push_back(condition);
    cases_.push_back({value, {condition}});
  }
  Term term(TermStore& store, Term otherwise) const {
    Term result = otherwise;
    for (const auto& [value, conditions] : cases_)
      if (value != otherwise) result = store.ite(store.any_of(conditions), value, result);
    return result;
  }

 private:
  std::vector<std::pair<Term, std::vector<Term>>> cases_;
};

class Encoder {
 public:
  Encoder(const Model& model, Engine engine)
      : model_(model),
        engine_(engine),
        store_(encoding_.system.store()),
        base_(add_registers(model, encoding_)),
        enabling_(store_, model, base_),
        executable_(executable_interactions(model)),
        uses_(model.components.size()),
        values_(model.component_variables()),
        places_(model.components.size()) {
    encoding_.engine = engine;
    for (ComponentId c = 0; c < model.components.size(); ++c) uses_[c].resize(model.components[c].ports.size());
    for (std::size_t k = 0; k < executable_.size(); ++k)
      for (const Model::PortUse& use : interaction(k).ports) uses_[use.component][use.port].push_back(k);
  }

  Encoding encode(const std::vector<Property>& properties) {
    add_cycle();
    select();
    choose_transitions();
    if (has_two_cycles()) keep_selection();
    move_data();
    for (const Alternatives& group : alternatives_) execute_transitions(group);
    set_nexts();
    add_observers(model_, properties, enabling_, encoding_);
    add_wires();
    encoding_.system.check();
    return std::move(encoding_);
  }

 private:
  using PortTerms = std::vector<std::vector<Term>>;  ///< by component and port

  system::System& system() { return encoding_.system; }
  bool has_two_cycles() const { return engine_ == Engine::TwoCycle; }
  const Model::Interaction& interaction(std::size_t k) const { return model_.interactions[executable_[k]]; }
  Term number(Term like, std::size_t value) { return store_.constant(store_.width(like), value); }
  Term place(ComponentId c) const { return base_[model_.variables.size() + c]; }
  std::size_t last_state() const { return encoding_.system.states().size() - 1; }
  /// A new register that starts with zero.
  Term add_register(std::uint32_t width, std::string name) {
    const Term variable = system().add_state({width, 0}, std::move(name));
    system().set_init(last_state(), store_.zero(width));
    return variable;
  }

  void add_cycle();
  void select();
  std::vector<Term> fire_together(std::span<const Term> possible, std::span<const Term> selected);
  PortTerms ports_of(std::span<const Term> selected);
  void choose_transitions();
  void keep_selection();
  bool is_kept(const Alternatives& group);
  void keep_transitions(ComponentId c);
  void move_data();
  std::map<VariableId, Term> moved_for(const Alternatives& group);
  Term executed(const Alternatives& group, std::size_t i);
  void execute_transitions(const Alternatives& group);
  void set_nexts();
  void add_wires();

  const Model& model_;
  Engine engine_;
  Encoding encoding_;
  TermStore& store_;
  std::vector<Term> base_;
  Enabling enabling_;
  std::vector<InteractionId> executable_;
  std::vector<std::vector<std::vector<std::size_t>>> uses_;  ///< by component and port: numbers of interactions

  std::size_t cycle_position_ = 0;
  std::vector<Term> selected_;  ///< by number of an interaction: in this step
  std::vector<Term> executed_;  ///< by number of an interaction: its transitions are executed in this step
  PortTerms selected_ports_;
  PortTerms executed_ports_;
  std::vector<Alternatives> alternatives_;
  std::vector<Cases> values_;  ///< by variable of a component
  std::vector<Term> moved_;    ///< by variable of a component: where no transition writes it
  std::vector<Cases> places_;  ///< by component
};

void Encoder::add_cycle() {
  encoding_.visible = enabling_.stable();
  encoding_.second_cycle = store_.boolean(false);
  if (!has_two_cycles()) return;
  encoding_.second_cycle = add_register(1, "cycle");
  cycle_position_ = last_state();
  encoding_.visible = store_.bit_and(enabling_.stable(), store_.bit_not(encoding_.second_cycle));
}

void Encoder::select() {
  for (const InteractionId id : executable_) selected_.push_back(enabling_.maximal(id));
  if (executable_.size() > 1) {
    const std::vector<Term> possible = selected_;
    const Term selector = system().add_input({width_for(executable_.size() - 1), 0}, "selector");
    selected_ = select_one(store_, possible, selector);
    if (engine_ == Engine::Parallel) selected_ = fire_together(possible, selected_);
  }
  for (Term& selected : selected_) selected = store_.bit_and(selected, encoding_.visible);
  selected_ports_ = ports_of(selected_);
  executed_ = selected_;
  executed_ports_ = selected_ports_;
}

std::vector<Term> Encoder::fire_together(std::span<const Term> possible, std::span<const Term> selected) {
  std::vector<Term> asked;
  for (std::size_t k = 0; k < executable_.size(); ++k)
    asked.push_back(system().add_input({1, 0}, fmt::format("fire[{}]", k)));
  std::vector<Term> fired = select_together(store_, model_, executable_, possible, asked);
  const Term is_none = store_.bit_not(store_.any_of(fired));
  for (std::size_t k = 0; k < fired.size(); ++k)
    fired[k] = store_.bit_or(fired[k], store_.bit_and(is_none, selected[k]));
  return fired;
}

Encoder::PortTerms Encoder::ports_of(std::span<const Term> selected) {
  PortTerms ports;
  for (const auto& of_component : uses_) {
    std::vector<Term>& terms = ports.emplace_back();
    for (const std::vector<std::size_t>& of_port : of_component) {
      std::vector<Term> some;
      for (const std::size_t k : of_port) some.push_back(selected[k]);
      terms.push_back(store_.any_of(some));
    }
  }
  return ports;
}

void Encoder::choose_transitions() {
  alternatives_ = add_alternatives(model_, enabling_, system());
  for (const Model::Component& component : model_.components)
    encoding_.chosen.emplace_back(component.transitions.size());
  for (const Alternatives& group : alternatives_) {
    if (!group.is_free && group.port != kNone) continue;
    for (std::size_t i = 0; i < group.transitions.size(); ++i)
      encoding_.chosen[group.component][group.transitions[i]] =
          group.port == kNone ? group.chosen[i]
                              : store_.bit_and(group.chosen[i], selected_ports_[group.component][group.port]);
  }
}

/// What the second cycle has to know of the first.
void Encoder::keep_selection() {
  const Term cycle = encoding_.second_cycle;
  system().set_next(cycle_position_, store_.any_of(selected_));
  if (executable_.size() > 1) {
    const Term kept = add_register(width_for(executable_.size() - 1), "selected");
    Cases next;
    for (std::size_t k = 0; k < executable_.size(); ++k) next.add(selected_[k], number(kept, k));
    system().set_next(last_state(), next.term(store_, number(kept, 0)));
    for (std::size_t k = 0; k < executable_.size(); ++k)
      executed_[k] = store_.bit_and(cycle, store_.eq(kept, number(kept, k)));
  } else {
    for (Term& executed : executed_) executed = cycle;
  }
  executed_ports_ = ports_of(executed_);
  for (ComponentId c = 0; c < model_.components.size(); ++c) keep_transitions(c);
}

/// From its own values the second cycle could not tell which transition the first has chosen.
bool Encoder::is_kept(const Alternatives& group) {
  if (group.port == kNone || group.transitions.size() == 1) return false;
  if (group.is_free) return true;
  const std::vector<Term> looked_at = term::support(store_, group.chosen);
  return std::ranges::any_of(uses_[group.component][group.port], [&](std::size_t k) {
    return std::ranges::any_of(enabling_.moved(executable_[k]), [&](const auto& moved) {
      return std::ranges::binary_search(looked_at, base_[moved.first]);
    });
  });
}

void Encoder::keep_transitions(ComponentId c) {
  std::vector<Alternatives*> groups;
  std::size_t most = 0;
  for (Alternatives& group : alternatives_) {
    if (group.component != c || !is_kept(group)) continue;
    groups.push_back(&group);
    most = std::max(most, group.transitions.size());
  }
  if (groups.empty()) return;
  const Term kept = add_register(width_for(most - 1), fmt::format("{}.taken", model_.components[c].name));
  Cases next;
  for (Alternatives* group : groups) {
    group->kept = kept;
    for (std::size_t i = 0; i < group->transitions.size(); ++i)
      next.add(store_.bit_and(group->chosen[i], selected_ports_[c][group->port]), number(kept, i));
  }
  system().set_next(last_state(), next.term(store_, number(kept, 0)));
}

void Encoder::move_data() {
  std::vector<Cases> moved(values_.size());
  for (std::size_t k = 0; k < executable_.size(); ++k)
    for (const auto& [variable, value] : enabling_.moved(executable_[k])) moved[variable].add(selected_[k], value);
  for (std::size_t v = 0; v < moved.size(); ++v) moved_.push_back(moved[v].term(store_, base_[v]));
}

/// The values that transitions of the group are executed on, where they are not those of the state: one of the
/// interactions of its port is selected.
std::map<VariableId, Term> Encoder::moved_for(const Alternatives& group) {
  std::map<VariableId, Term> result;
  if (group.port == kNone || has_two_cycles()) return result;
  const std::vector<std::size_t>& users = uses_[group.component][group.port];
  std::map<VariableId, std::vector<std::pair<std::size_t, Term>>> writers;
  for (const std::size_t k : users)
    for (const auto& [variable, value] : enabling_.moved(executable_[k]))
      if (model_.variables[variable].component == group.component) writers[variable].emplace_back(k, value);
  for (const auto& [variable, values] : writers) {
    Cases cases;
    for (const auto& [k, value] : values) cases.add(selected_[k], value);
    const bool is_always = values.size() == users.size();
    result.emplace(variable, cases.term(store_, is_always ? values.back().second : base_[variable]));
  }
  return result;
}

/// Transition `i` of the group is executed in this step.
Term Encoder::executed(const Alternatives& group, std::size_t i) {
  if (group.port == kNone) return store_.bit_and(group.chosen[i], store_.bit_not(encoding_.second_cycle));
  const Term port = executed_ports_[group.component][group.port];
  if (!has_two_cycles()) return store_.bit_and(port, group.chosen[i]);
  // A port that an earlier cycle selected does not say by itself that it was enabled there.
  const Term here = store_.bit_and(port, enabling_.at(group.component, group.from));
  return store_.bit_and(here, group.kept ? store_.eq(group.kept, number(group.kept, i)) : group.chosen[i]);
}

void Encoder::execute_transitions(const Alternatives& group) {
  const std::map<VariableId, Term> moved = moved_for(group);
  for (std::size_t i = 0; i < group.transitions.size(); ++i) {
    const Model::Transition& transition = model_.components[group.component].transitions[group.transitions[i]];
    const Term condition = executed(group, i);
    Symbolic values = enabling_.values();
    for (const auto& [variable, value] : moved) values.set(variable, value);
    values.execute(transition.action);
    for (const auto& [variable, value] : values.written()) {
      const auto before = moved.find(variable);
      if (value != (before == moved.end() ? base_[variable] : before->second)) values_[variable].add(condition, value);
    }
    if (transition.to != transition.from)
      places_[group.component].add(condition, number(place(group.component), transition.to));
  }
}

void Encoder::set_nexts() {
  for (std::size_t v = 0; v < values_.size(); ++v)
    system().set_next(encoding_.values[v], values_[v].term(store_, moved_[v]));
  for (ComponentId c = 0; c < model_.components.size(); ++c)
    system().set_next(encoding_.places[c], places_[c].term(store_, place(c)));
}

void Encoder::add_wires() {
  for (std::size_t k = 0; k < executable_.size(); ++k) {
    system().add_wire(enabling_.enabled(executable_[k]), fmt::format("ie[{}]", k));
    system().add_wire(enabling_.maximal(executable_[k]), fmt::format("ip[{}]", k));
    encoding_.fired.push_back(has_two_cycles() ? store_.bit_or(selected_[k], executed_[k]) : selected_[k]);
    system().add_wire(encoding_.fired[k], fmt::format("is[{}]", k));
  }
  for (ComponentId c = 0; c < model_.components.size(); ++c) {
    const Model::Component& component = model_.components[c];
    for (std::uint32_t p = 0; p < component.ports.size(); ++p) {
      system().add_wire(enabling_.port({c, p}), fmt::format("{}.{}.e", component.name, component.ports[p].name));
      system().add_wire(
          has_two_cycles() ? store_.bit_or(selected_ports_[c][p], executed_ports_[c][p]) : selected_ports_[c][p],
          fmt::format("{}.{}.s", component.name, component.ports[p].name));
    }
    for (std::size_t t = 0; t < component.transitions.size(); ++t)
      if (encoding_.chosen[c][t]) system().add_wire(encoding_.chosen[c][t], fmt::format("{}#{}", component.name, t));
  }
  system().add_wire(encoding_.visible, "visible");
}

}  // namespace

Encoding encode(const Model& model, const std::vector<Property>& properties, Engine engine) {
  return Encoder(model, engine).encode(properties);
}

}  // namespace plumb::bip
