#pragma once

#include <vector>

#include "lang/bip/encode/enabling.h"
#include "system/system.h"

namespace plumb::bip {

/// Transitions of one component that leave the same place by the same port, or internally: one of those that are
/// enabled is executed.
struct Alternatives {
  ComponentId component = 0;
  std::uint32_t port = kNone;
  std::uint32_t from = 0;
  std::vector<std::uint32_t> transitions;
  /// By transition: that it is the one that is executed if the port is selected; of internal ones, that it is the one.
  std::vector<Term> chosen;
  /// Several of them may be enabled at once: an input chooses.
  bool is_free = false;
  /// Of two cycles: the register that holds the number of the chosen transition, where values do not tell it.
  Term kept;
};

/// All alternatives of all components. Adds the inputs `COMPONENT.transition`, the number of the transition among the
/// alternatives, to components that need one; if it is not enabled the last that is enabled is taken.
std::vector<Alternatives> add_alternatives(const Model& model, const Enabling& enabling, system::System& system);

}  // namespace plumb::bip
