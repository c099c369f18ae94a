#pragma once

#include <vector>

#include "lang/bip/property/property.h"
#include "lang/bip/run/emulate.h"

namespace plumb::cli {

/// An emulation whose properties are looked at in every visible state. A copy goes on by itself. Model, properties and
/// guide must outlive it.
class WatchedRun {
 public:
  WatchedRun(const bip::Model& model, const std::vector<bip::Property>& properties,
             const bip::EmulationOptions& options);

  const bip::Emulation& emulation() const noexcept { return emulation_; }
  const bip::Run& run() const noexcept { return emulation_.run(); }
  /// As those of bip::Emulation.
  std::optional<bip::EmulationStep> step() { return emulation_.step(); }
  bip::EmulationStep step(const bip::Choice& choice) { return emulation_.step(choice); }

  /// The properties, by position, that are violated here and were not before. To be called once in every state;
  /// nothing is looked at in one that is not visible.
  std::vector<std::size_t> look();
  /// The run ends in a deadlock, which repeats for ever: what is violated by that.
  std::vector<std::size_t> look_at_deadlock();

  bool is_violated(std::size_t property) const { return is_violated_[property]; }
  bool is_all_violated() const;
  bool is_any_violated() const;

 private:
  const std::vector<bip::Property>& properties_;
  bip::Emulation emulation_;
  std::vector<bip::Monitor> monitors_;
  std::vector<bool> is_violated_;
};

}  // namespace plumb::cli
