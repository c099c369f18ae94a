#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "explore/choices.h"
#include "explore/machine.h"

namespace plumb::explore {

/// A way of a step, and what it leads to.
struct WayOut {
  Choices::Script script;
  Machine::Parts parts;
  std::vector<Term> constraints;

  /// They differ in their payload at most.
  bool meets(const WayOut& other) const {
    return parts.control == other.parts.control && parts.values == other.parts.values &&
           parts.payload.size() == other.parts.payload.size();
  }
};

/// The machine is behind the last one of ways that meet, which had so many constraints in common at their beginning.
/// Puts it into the state that stands for all of them: selectors, one fewer than ways, say which one was taken, the
/// first that is true, or the last one. Gives the selectors.
std::vector<Term> merge(Machine& machine, Choices& choices, const Payload& payload, std::span<const WayOut> ways,
                        std::size_t known);

}  // namespace plumb::explore
