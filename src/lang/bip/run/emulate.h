#pragma once

#include <cstdint>
#include <optional>

#include "lang/bip/run/choice_generator.h"
#include "lang/bip/run/guide.h"

namespace plumb::bip {

struct EmulationOptions {
  /// How many interactions at most, 0 for no bound. Nothing: until the guide ends; without a guide, no bound.
  std::optional<std::uint64_t> steps;
  std::uint64_t seed = 1;
  const Guide* guide = nullptr;  ///< must outlive the emulation
};

struct EmulationStep {
  std::uint64_t number = 0;  ///< of the interaction, from 1; of internal transitions, of the interaction before them
  Choice choice;
  State before;
  State after;
};

enum class EmulationEnd : std::uint8_t {
  Bound,       ///< that many interactions were fired
  Guide,       ///< there are no more steps in it
  Deadlock,    ///< reported before the two above
  Divergence,  ///< kMostInternalSteps internal steps in a row
};

/// A run that is chosen by a guide and, behind its end, by a ChoiceGenerator: first one of Run::choices(), then for
/// every component that moves, in their order, one of its enabled transitions. As long as there is a guide, and in
/// internal steps behind its last line, what it leaves open is the first that is enabled. The run ends in stable states
/// alone (but for Divergence): internal transitions that follow the last interaction are still executed. Emitted
/// programs do the same.
class Emulation {
 public:
  static constexpr std::uint64_t kMostInternalSteps = 100'000;

  Emulation(const Model& model, const EmulationOptions& options);

  const Run& run() const noexcept { return run_; }
  /// Interactions so far.
  std::uint64_t interactions() const noexcept { return interactions_; }
  /// Does the next step; nothing at the end. Throws UserError at the guide's line if it asks for what is impossible.
  std::optional<EmulationStep> step();
  /// As step(), but somebody else chose: needs Run::objection() to be empty. A guide is not looked at.
  EmulationStep step(const Choice& choice);
  /// Once step() has returned nothing.
  EmulationEnd end() const;

 private:
  std::optional<EmulationEnd> find_end() const;
  Choice guided_choice(const Guide::Step& step) const;
  Choice random_choice();

  const Model& model_;
  EmulationOptions options_;
  Run run_;
  ChoiceGenerator generator_;
  std::size_t next_ = 0;  ///< step of the guide
  bool is_past_guide_ = false;
  std::uint64_t interactions_ = 0;
  std::uint64_t internal_steps_ = 0;  ///< in a row
  std::optional<EmulationEnd> end_;
};

}  // namespace plumb::bip
