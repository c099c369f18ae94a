#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "system/trace.h"

namespace plumb::prove {

using system::System;
using system::Trace;

/// Some states without init, whose initial values are told apart: a case for each.
class Split {
 public:
  /// Positions of states that are no arrays; `system` need not live on.
  Split(const System& system, std::vector<std::size_t> states);

  const std::vector<std::size_t>& states() const noexcept { return states_; }
  std::uint32_t bits() const noexcept { return bits_; }
  std::uint64_t case_count() const noexcept { return std::uint64_t{1} << bits_; }

  /// The system with the states fixed to what that case says, over a store of its own. States, inputs, bads and
  /// constraints are at their places; there is nothing else. A state that never changes is a constant everywhere.
  System system_of(const System& system, std::uint64_t number) const;
  /// A trace of system_of() as one of the system.
  void complete(Trace& trace, std::uint64_t number) const;

 private:
  BitVector value(std::size_t i, std::uint64_t number) const;

  std::vector<std::size_t> states_;
  std::vector<std::uint32_t> widths_;
  std::uint32_t bits_ = 0;
};

/// States that control depends on: with these fixed, the first steps of all runs become much simpler. None if nothing
/// is worth it. Costs some unrollings of a few steps each, without solving. Throws OutOfBudget.
std::vector<std::size_t> choose_split(const System& system, std::uint32_t max_bits, const Budget& budget);

}  // namespace plumb::prove
