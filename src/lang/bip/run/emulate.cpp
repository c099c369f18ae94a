#include "lang/bip/run/emulate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace plumb::bip {

namespace {

/// What may be fired, for messages.
std::string possibilities(const Model& model, const Run& run) {
  if (!run.is_stable()) return "internal transitions come first";
  constexpr std::size_t kMost = 5;
  const std::vector<InteractionId> choices = run.choices();
  std::string text = "possible here: ";
  for (std::size_t i = 0; i < choices.size() && i < kMost; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : " ", model.interactions[choices[i]].name);
  if (choices.size() > kMost) text += fmt::format(" and {} more", choices.size() - kMost);
  return text;
}

}  // namespace

Emulation::Emulation(const Model& model, const EmulationOptions& options)
    : model_(model),
      options_(options),
      run_(model, options.guide != nullptr ? options.guide->initial : std::vector<std::optional<std::int64_t>>()),
      generator_(options.seed),
      is_past_guide_(options.guide == nullptr) {}

EmulationEnd Emulation::end() const {
  INVARIANT(end_.has_value(), "the emulation should have ended");
  return *end_;
}

std::optional<EmulationEnd> Emulation::find_end() const {
  if (!run_.is_stable())
    return internal_steps_ < kMostInternalSteps ? std::nullopt : std::optional(EmulationEnd::Divergence);
  if (run_.choices().empty()) return EmulationEnd::Deadlock;
  if (options_.steps && *options_.steps != 0 && interactions_ >= *options_.steps) return EmulationEnd::Bound;
  if (options_.guide != nullptr && !options_.steps && next_ == options_.guide->steps.size()) return EmulationEnd::Guide;
  return std::nullopt;
}

Choice Emulation::guided_choice(const Guide::Step& step) const {
  // What has no enabled transition has an objection, and needs no choice of its own.
  Choice choice{step.interaction, step.transitions};
  const auto leave_open = [&](ComponentId component, const std::vector<std::uint32_t>& enabled) {
    const bool is_given =
        std::ranges::any_of(step.transitions, [&](const auto& given) { return given.first == component; });
    if (!is_given && !enabled.empty()) choice.transitions.emplace_back(component, enabled.front());
  };
  if (step.interaction == kNone) {
    const std::vector<std::vector<std::uint32_t>> enabled = run_.internal_transitions();
    for (ComponentId c = 0; c < enabled.size(); ++c) leave_open(c, enabled[c]);
  } else {
    for (const Model::PortUse& port : model_.interactions[step.interaction].ports)
      leave_open(port.component, run_.transitions(port));
  }
  std::ranges::sort(choice.transitions);
  const std::string objection = run_.objection(choice);
  if (objection.empty()) return choice;
  throw UserError(
      {options_.guide->file, step.place.line, step.place.column},
      step.interaction == kNone
          ? fmt::format("the internal transitions cannot be executed here: {}", objection)
          : fmt::format("'{}' cannot be fired here: {}", model_.interactions[step.interaction].name, objection),
      possibilities(model_, run_));
}

Choice Emulation::random_choice() {
  Choice choice;
  const auto choose = [&](ComponentId component, const std::vector<std::uint32_t>& enabled) {
    if (!enabled.empty()) choice.transitions.emplace_back(component, enabled[generator_.choose(enabled.size())]);
  };
  if (!run_.is_stable()) {
    const std::vector<std::vector<std::uint32_t>> enabled = run_.internal_transitions();
    for (ComponentId c = 0; c < enabled.size(); ++c) choose(c, enabled[c]);
    return choice;
  }
  const std::vector<InteractionId> choices = run_.choices();
  choice.interaction = choices[generator_.choose(choices.size())];
  for (const Model::PortUse& port : model_.interactions[choice.interaction].ports)
    choose(port.component, run_.transitions(port));
  return choice;
}

std::optional<EmulationStep> Emulation::step() {
  if (!end_) end_ = find_end();
  if (end_) return std::nullopt;
  const bool is_stable = run_.is_stable();
  if (!is_past_guide_ && next_ < options_.guide->steps.size()) {
    const Guide::Step& next = options_.guide->steps[next_];
    if (!is_stable && next.interaction != kNone) return step(run_.first_internal_choice());
    const Choice choice = guided_choice(next);
    ++next_;
    return step(choice);
  }
  // Internal steps behind the last line still belong to the guide.
  is_past_guide_ = is_past_guide_ || is_stable;
  return step(is_past_guide_ ? random_choice() : run_.first_internal_choice());
}

EmulationStep Emulation::step(const Choice& choice) {
  const bool is_internal = choice.interaction == kNone;
  internal_steps_ = is_internal ? internal_steps_ + 1 : 0;
  if (!is_internal) ++interactions_;
  EmulationStep step{interactions_, choice, run_.state(), {}};
  run_.fire(choice);
  step.after = run_.state();
  return step;
}

}  // namespace plumb::bip
