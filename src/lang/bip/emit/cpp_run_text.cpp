#include "lang/bip/emit/cpp_text.h"

namespace plumb::bip {

const std::string_view kCppPrologue = R"emitted(
// An int wraps around at kBits bits; it is kept sign-extended.
inline Int wrap(std::uint64_t value) {
  constexpr std::uint64_t sign = std::uint64_t{1} << (kBits - 1);
  constexpr std::uint64_t mask = (std::uint64_t{1} << kBits) - 1;
  return static_cast<Int>(((value & mask) ^ sign) - sign);
}
inline std::uint64_t bits(Int a) { return static_cast<std::uint64_t>(a); }
inline Int negate(Int a) { return wrap(0 - bits(a)); }
inline Int add(Int a, Int b) { return wrap(bits(a) + bits(b)); }
inline Int subtract(Int a, Int b) { return wrap(bits(a) - bits(b)); }
inline Int multiply(Int a, Int b) { return wrap(bits(a) * bits(b)); }
inline Int divide(Int a, Int b) { return b == 0 ? 0 : wrap(bits(a / b)); }
inline Int remainder(Int a, Int b) { return b == 0 ? a : a % b; }
// The amount of a shift has no sign.
inline std::uint64_t amount(Int a) { return bits(a) & ((std::uint64_t{1} << kBits) - 1); }
inline Int shift_left(Int a, Int b) { return amount(b) >= kBits ? 0 : wrap(bits(a) << amount(b)); }
inline Int shift_right(Int a, Int b) {
  const std::uint64_t count = amount(b) >= kBits ? kBits - 1 : amount(b);
  return a >= 0 ? a >> count : ~(~a >> count);
}
inline bool implies(bool a, bool b) { return !a || b; }
inline Int both_bits(Int a, Int b) { return a & b; }
inline Int any_bits(Int a, Int b) { return a | b; }
inline Int other_bits(Int a, Int b) { return a ^ b; }
inline bool is_less(Int a, Int b) { return a < b; }
inline bool is_at_most(Int a, Int b) { return a <= b; }
inline bool is_greater(Int a, Int b) { return a > b; }
inline bool is_at_least(Int a, Int b) { return a >= b; }
inline bool is_equal(Int a, Int b) { return a == b; }
inline bool is_different(Int a, Int b) { return a != b; }

// The values of all variables; bools are 0 or 1.
using Values = std::vector<Int>;
using Condition = bool (*)(const Values&);  // nullptr: always true
using Action = void (*)(Values&);           // nullptr: nothing
constexpr std::size_t kNone = ~std::size_t{0};

struct Variable {
  const char* name;
  bool is_bool;
  bool is_free;  // starts with any value
};
struct Transition {
  std::size_t port;  // kNone: internal
  std::size_t from;
  std::size_t to;
  Condition guard;
  Action action;
};
struct PortPriority {  // low gives way to high
  std::size_t low;
  std::size_t high;
  Condition condition;
};
struct Component {
  const char* name;
  std::vector<const char*> ports;
  std::vector<const char*> places;
  std::vector<std::size_t> variables;
  std::size_t initial_place;
  Action initial_action;
  std::vector<Transition> transitions;
  std::vector<PortPriority> priorities;
};
struct PortUse {
  std::size_t component;
  std::size_t port;
};
struct Stage {  // of a connector: its guard, then what it computes upwards
  Condition guard;
  Action up;
};
struct Interaction {
  const char* name;
  bool is_executable;
  std::vector<PortUse> ports;
  std::vector<Stage> stages;
  Action down;
  std::vector<std::size_t> maximal_inside;  // interactions of exported connectors that it is made of
};
struct Priority {  // low gives way to high
  std::size_t low;
  std::size_t high;
  Condition condition;
};
)emitted";

const std::string_view kCppRun = R"emitted(
struct State {
  std::vector<std::size_t> places;  // by component
  Values values;                    // by variable
};

// An interaction (kNone: internal transitions) with a transition for each component that moves.
struct Choice {
  std::size_t interaction = kNone;
  std::vector<std::pair<std::size_t, std::size_t>> transitions;
};

using List = std::vector<std::size_t>;

inline bool contains(const List& list, std::size_t element) {
  return std::find(list.begin(), list.end(), element) != list.end();
}

inline std::string quoted(const std::string& name) { return "'" + name + "'"; }

inline bool holds(Condition condition, const Values& values) { return condition == nullptr || condition(values); }

inline void execute(Action action, Values& values) {
  if (action != nullptr) action(values);
}

class Run {
 public:
  // `values` of variables that start with any value; the initial actions set the others.
  explicit Run(const Values& values) : above_(interactions.size()) {
    state_.values = values;
    for (const Component& component : components) {
      state_.places.push_back(component.initial_place);
      execute(component.initial_action, state_.values);
    }
    for (const Priority& priority : priorities) above_[priority.low].push_back(&priority);
  }

  const State& state() const { return state_; }

  List enabled_transitions(std::size_t component, std::size_t port) const {
    List enabled;
    const std::vector<Transition>& all = components[component].transitions;
    for (std::size_t t = 0; t < all.size(); ++t)
      if (all[t].port == port && all[t].from == state_.places[component] && holds(all[t].guard, state_.values))
        enabled.push_back(t);
    return enabled;
  }

  // By component; empty if no component has one.
  std::vector<List> internal_transitions() const {
    std::vector<List> enabled;
    bool is_any = false;
    for (std::size_t c = 0; c < components.size(); ++c) {
      enabled.push_back(enabled_transitions(c, kNone));
      is_any = is_any || !enabled.back().empty();
    }
    if (!is_any) enabled.clear();
    return enabled;
  }

  bool is_stable() const { return internal_transitions().empty(); }

  bool is_port_enabled(const PortUse& port) const {
    if (enabled_transitions(port.component, port.port).empty()) return false;
    for (const PortPriority& priority : components[port.component].priorities)
      if (priority.low == port.port && holds(priority.condition, state_.values) &&
          !enabled_transitions(port.component, priority.high).empty())
        return false;
    return true;
  }

  // Executes the stages; false if a guard does not hold.
  bool stage(const Interaction& interaction, Values& values) const {
    values = state_.values;
    for (const Stage& stage : interaction.stages) {
      if (!holds(stage.guard, values)) return false;
      execute(stage.up, values);
    }
    return true;
  }

  bool is_enabled(std::size_t interaction) const {
    const Interaction& i = interactions[interaction];
    for (const PortUse& port : i.ports)
      if (!is_port_enabled(port)) return false;
    Values values;
    if (!stage(i, values)) return false;
    for (const std::size_t inside : i.maximal_inside)
      if (!is_maximal(inside)) return false;
    return true;
  }

  // The first enabled interaction that it gives way to, or kNone.
  std::size_t overruling(std::size_t interaction) const {
    for (const Priority* priority : above_[interaction])
      if (holds(priority->condition, state_.values) && is_enabled(priority->high)) return priority->high;
    return kNone;
  }

  bool is_maximal(std::size_t interaction) const { return is_enabled(interaction) && overruling(interaction) == kNone; }

  // What may be fired in a stable state.
  List choices() const {
    List all;
    for (std::size_t i = 0; i < interactions.size(); ++i)
      if (interactions[i].is_executable && is_maximal(i)) all.push_back(i);
    return all;
  }

  // Why a choice cannot be made; empty if it can.
  std::string objection(const Choice& choice) const {
    if (choice.interaction == kNone) return objection_to_internal(choice);
    const std::string reason = objection_to_interaction(choice.interaction);
    return reason.empty() ? objection_to_transitions(choice) : reason;
  }

  // Needs a choice without objection.
  void fire(const Choice& choice) {
    Values values = state_.values;
    if (choice.interaction != kNone) {
      stage(interactions[choice.interaction], values);
      execute(interactions[choice.interaction].down, values);
    }
    for (const auto& move : choice.transitions) {
      const Transition& transition = components[move.first].transitions[move.second];
      execute(transition.action, values);
      state_.places[move.first] = transition.to;
    }
    // Variables of connectors live during an interaction alone.
    std::fill(values.begin() + kComponentVariables, values.end(), 0);
    state_.values = values;
  }

 private:
  static std::size_t chosen(const Choice& choice, std::size_t component) {
    for (const auto& move : choice.transitions)
      if (move.first == component) return move.second;
    return kNone;
  }

  static std::string transition_name(std::size_t component, std::size_t transition) {
    return std::string(components[component].name) + "#" + std::to_string(transition);
  }

  std::string objection_to_internal(const Choice& choice) const {
    const std::vector<List> enabled = internal_transitions();
    if (enabled.empty()) return "no internal transition is enabled";
    for (std::size_t c = 0; c < enabled.size(); ++c) {
      const std::size_t transition = chosen(choice, c);
      if (transition != kNone && !contains(enabled[c], transition))
        return transition_name(c, transition) + " is not an enabled internal transition";
    }
    return {};
  }

  std::string objection_to_interaction(std::size_t interaction) const {
    const std::vector<List> internal = internal_transitions();
    for (std::size_t c = 0; c < internal.size(); ++c)
      if (!internal[c].empty())
        return "component " + quoted(components[c].name) + " has an enabled internal transition, and those come first";
    const Interaction& i = interactions[interaction];
    for (const PortUse& port : i.ports)
      if (!is_port_enabled(port)) {
        const Component& component = components[port.component];
        return "port " + quoted(std::string(component.name) + "." + component.ports[port.port]) + " is not enabled";
      }
    Values values;
    if (!stage(i, values)) return "its guard does not hold";
    for (const std::size_t inside : i.maximal_inside)
      if (!is_maximal(inside))
        return quoted(interactions[inside].name) + " inside it is not enabled or gives way to another";
    const std::size_t high = overruling(interaction);
    if (high != kNone) return "it gives way to " + quoted(interactions[high].name);
    return {};
  }

  std::string objection_to_transitions(const Choice& choice) const {
    for (const PortUse& port : interactions[choice.interaction].ports) {
      const std::size_t transition = chosen(choice, port.component);
      if (!contains(enabled_transitions(port.component, port.port), transition))
        return transition_name(port.component, transition) + " is not an enabled transition of port " +
               quoted(components[port.component].ports[port.port]);
    }
    return {};
  }

  State state_;
  std::vector<std::vector<const Priority*>> above_;  // by interaction that is low
};
)emitted";

}  // namespace plumb::bip
