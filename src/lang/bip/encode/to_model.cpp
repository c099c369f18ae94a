// A trace is first read off the simulator step by step, then replayed by Run. Behind interactions that were fired
// together, internal transitions of all their components go on side by side until all are stable; one after the other,
// those of each interaction's components come right behind it. That is the same, for internal transitions look at their
// own component alone.

#include <fmt/format.h>

#include <algorithm>

#include "lang/bip/encode/encode.h"
#include "lang/bip/run/guide.h"
#include "system/simulator.h"

namespace plumb::bip {

namespace {

using Transitions = std::vector<std::pair<ComponentId, std::uint32_t>>;

/// What a step of the system does.
struct Step {
  State state;
  bool is_visible = false;
  bool is_second_cycle = false;
  bool is_bad = false;
  std::vector<InteractionId> fired;
  Transitions chosen;  ///< those that the system had to choose
};

class TraceReader {
 public:
  TraceReader(const Model& model, const Encoding& encoding)
      : model_(model), encoding_(encoding), executable_(executable_interactions(model)), simulator_(encoding.system) {}

  /// The steps up to the first in which the bad is reached.
  std::vector<Step> read(const system::Trace& trace, std::size_t bad) {
    std::vector<Step> steps;
    simulator_.reset(trace.initial);
    for (std::size_t k = 0; k < trace.steps.size(); ++k) {
      simulator_.play(trace, k);
      if (k == 0) read_initial();
      steps.push_back(step());
      steps.back().is_bad = simulator_.is_bad(bad);
      if (steps.back().is_bad) return steps;
    }
    INVARIANT(false, "the trace should reach the property's bad");
  }

  std::vector<std::optional<std::int64_t>> initial;

 private:
  bool is_true(system::Term t) const { return !simulator_.bits(t).is_zero(); }

  std::int64_t number(std::size_t state, VariableId variable) const {
    const std::uint64_t bits = simulator_.bits(encoding_.system.states()[state].variable).to_uint64();
    return model_.variables[variable].type == Type::Bool ? static_cast<std::int64_t>(bits)
                                                         : wrap(static_cast<std::int64_t>(bits), model_.bits);
  }

  void read_initial() {
    initial.resize(model_.variables.size());
    for (VariableId v = 0; v < encoding_.initial.size(); ++v)
      if (encoding_.initial[v]) initial[v] = number(*encoding_.initial[v], v);
  }

  Step step() const {
    Step step;
    step.is_visible = is_true(encoding_.visible);
    step.is_second_cycle = encoding_.engine == Engine::TwoCycle && is_true(encoding_.second_cycle);
    for (const std::size_t position : encoding_.places)
      step.state.places.push_back(
          static_cast<std::uint32_t>(simulator_.bits(encoding_.system.states()[position].variable).to_uint64()));
    step.state.values.assign(model_.variables.size(), 0);
    for (VariableId v = 0; v < encoding_.values.size(); ++v) step.state.values[v] = number(encoding_.values[v], v);
    for (std::size_t k = 0; k < executable_.size(); ++k)
      if (is_true(encoding_.fired[k])) step.fired.push_back(executable_[k]);
    for (ComponentId c = 0; c < encoding_.chosen.size(); ++c)
      for (std::uint32_t t = 0; t < encoding_.chosen[c].size(); ++t)
        if (encoding_.chosen[c][t] && is_true(encoding_.chosen[c][t])) step.chosen.emplace_back(c, t);
    return step;
  }

  const Model& model_;
  const Encoding& encoding_;
  std::vector<InteractionId> executable_;
  system::Simulator simulator_;
};

class ModelRun {
 public:
  ModelRun(const Model& model, const Property& property, std::vector<Step> steps, ModelTrace& result)
      : model_(model),
        steps_(std::move(steps)),
        run_(model, result.initial),
        monitor_(model, property),
        result_(result) {}

  void replay() {
    if (!steps_[0].is_visible) settle(0, {});
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      const Step& step = steps_[k];
      if (!step.is_visible) continue;
      INVARIANT(run_.is_stable() && run_.state() == step.state,
                "the model should be in the state that the system is in");
      const bool is_violated = monitor_.is_violated(run_);
      INVARIANT(is_violated == step.is_bad, "the model should violate the property where the system does");
      if (is_violated) return;
      INVARIANT(!step.fired.empty() || run_.is_deadlocked(),
                "the system should fire an interaction unless none is possible");
      for (const InteractionId interaction : step.fired) {
        fire(k, choice(step, interaction));
        settle(k + 1, model_.interactions[interaction].ports);
        if (interaction != step.fired.back() && monitor_.is_violated(run_)) return;
      }
    }
  }

 private:
  void fire(std::size_t step, const Choice& choice) {
    const std::string objection = run_.objection(choice);
    INVARIANT(objection.empty(), fmt::format("the model should do what the system does: {}", objection));
    run_.fire(choice);
    result_.choices.push_back(choice);
    result_.steps.push_back(step);
  }

  Choice choice(const Step& step, InteractionId interaction) const {
    Choice choice{interaction, {}};
    for (const Model::PortUse& use : model_.interactions[interaction].ports) {
      const std::vector<std::uint32_t> enabled = run_.transitions(use);
      INVARIANT(!enabled.empty(), "a port that the system selects should be enabled");
      std::uint32_t transition = enabled.front();
      if (enabled.size() > 1) {
        const auto chosen = std::ranges::find_if(step.chosen, [&](const auto& c) {
          return c.first == use.component && std::ranges::find(enabled, c.second) != enabled.end();
        });
        INVARIANT(chosen != step.chosen.end(), "the system should choose one of several transitions");
        transition = chosen->second;
      }
      choice.transitions.emplace_back(use.component, transition);
    }
    return choice;
  }

  /// The internal transitions in the steps from `k` on to the next visible one, of the components of these ports alone,
  /// of all if there are none.
  void settle(std::size_t k, const std::vector<Model::PortUse>& ports) {
    for (; k < steps_.size() && !steps_[k].is_visible; ++k) {
      if (steps_[k].is_second_cycle) continue;
      Choice internal;
      for (const auto& [component, transition] : steps_[k].chosen)
        if (model_.components[component].transitions[transition].port == kNone &&
            (ports.empty() || std::ranges::find(ports, component, &Model::PortUse::component) != ports.end()))
          internal.transitions.emplace_back(component, transition);
      if (!internal.transitions.empty()) fire(k, internal);
    }
  }

  const Model& model_;
  std::vector<Step> steps_;
  Run run_;
  Monitor monitor_;
  ModelTrace& result_;
};

}  // namespace

ModelTrace to_model(const Model& model, const std::vector<Property>& properties, std::size_t position,
                    const Encoding& encoding, const system::Trace& trace) {
  TraceReader reader(model, encoding);
  std::vector<Step> steps = reader.read(trace, encoding.bads[position]);
  ModelTrace result;
  result.initial = std::move(reader.initial);
  ModelRun(model, properties[position], std::move(steps), result).replay();
  return result;
}

}  // namespace plumb::bip
