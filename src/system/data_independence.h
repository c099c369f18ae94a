#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "system/trace.h"

namespace plumb::system {

/// A system in which data that is only moved and compared for equality has as few bits as tell its values apart.
struct NarrowedSystem {
  /// Registers and inputs that such data goes between, and their values.
  struct Data {
    std::vector<std::size_t> states;  ///< positions
    std::vector<std::size_t> inputs;
    std::uint32_t width = 0;        ///< in the whole system
    std::uint32_t bits = 0;         ///< in this one
    std::vector<BitVector> values;  ///< by code: what it stands for in the whole system
  };

  /// States, inputs, bads and constraints are at the same places as in the whole system; wires and annotations are left
  /// out. A bad is reached in a step exactly if it is in the whole system.
  System system;
  std::vector<Data> data;  ///< what was made narrower

  /// A trace of this system as one of the whole that does the same.
  Trace widened(const Trace& trace) const;
};

/// Data independence (Wolper, "Expressing Interesting Properties of Programs in Propositional Temporal Logic", 1986):
/// words that are moved, chosen between and compared for equality with each other and with constants, and nothing else,
/// may be renamed at will, all but the constants. A run has no more of them at a time than there are words, or, where
/// none comes from outside after the start, than words that start with any value; so that many codes beside those of
/// the constants are enough. Words of which that saves nothing stay as they are.
NarrowedSystem narrow_independent_data(const System& system);

}  // namespace plumb::system
