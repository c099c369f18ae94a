#pragma once

#include <optional>
#include <vector>

#include "system/encode_liveness.h"

namespace plumb::system {

/// Which variables are held between steps, and where.
struct Registers {
  /// By position in ControlGraph::variables.
  std::vector<std::optional<std::size_t>> of;
  std::vector<std::vector<std::size_t>> members;  ///< by register: the variables that it holds at one time or another
  /// Variables that have the right value at all times, needed or not: those of users with a register of their own.
  VariableSet kept;
  std::vector<VariableSet> live;  ///< by label, with those that are kept
  VariableSet decides_at_entry;   ///< what a property depends on there; not only because something is kept
};

/// Throws OutOfBudget.
Registers assign_registers(const ControlGraph& graph, const ControlFlow& flow, const CutPoints& cuts,
                           const Accesses& accesses, bool share, const Budget& budget);

}  // namespace plumb::system
