#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "circuit/aig.h"
#include "system/trace.h"

namespace plumb::system {

/// The choices that make a run of a circuit.
struct CircuitTrace {
  std::vector<bool> latches;              ///< at the start, by ordinal; only those of free ones count
  std::vector<std::vector<bool>> inputs;  ///< by step, then by ordinal
};

/// A bit of a state or of an input of a system.
struct BitPlace {
  std::size_t position = 0;   ///< in System::states() or System::inputs()
  std::uint64_t element = 0;  ///< of an array
  std::uint32_t bit = 0;

  friend bool operator==(const BitPlace&, const BitPlace&) = default;
};

/// A system as a sequential circuit, with the way back from its latches and inputs to words.
struct SystemCircuit {
  struct LatchPlace {
    /// The state's bit that the latch holds. Nothing for the latch that is true in the first step alone.
    std::optional<BitPlace> state;
    /// The bit of a state without init that the latch's free initial value chooses.
    std::optional<BitPlace> choice;
  };
  struct InputPlace {
    enum class Kind : std::uint8_t {
      Input,
      State,      ///< of a state without init and next, in the same step
      NextState,  ///< of a state with init and without next, in the step behind
    };
    Kind kind = Kind::Input;
    BitPlace place;
  };

  circuit::Aig aig;  ///< bads and constraints as in the system, in its order and with its names
  std::vector<LatchPlace> latches;
  std::vector<InputPlace> inputs;

  /// What the circuit's trace chooses in the system: a bad is reached in the same step in both.
  Trace to_system(const System& system, const CircuitTrace& trace) const;
  /// The other way; what is not in the circuit is left out.
  CircuitTrace to_circuit(const System& system, const Trace& trace) const;
};

struct CircuitOptions {
  /// Latches and inputs that no bad and no constraint depends on are left out.
  bool only_cone = true;
  /// Of array variables and of all array terms together.
  std::uint64_t max_elements = std::uint64_t{1} << 22;
};

/// Bits are called NAME[bit] (NAME at width 1), those of arrays NAME[element][bit]. A bit of a state becomes a latch,
/// with its initial value if that is constant; where it depends on other states, the latch is passed by in the first
/// step. Throws Unsupported if arrays are too large, OutOfBudget.
SystemCircuit to_circuit(const System& system, const Budget& budget, const CircuitOptions& options = {});

/// The system of a circuit: latches and inputs as bits, with their names and in their order. A circuit without bads, as
/// in AIGER 1.0, has its outputs for bads; otherwise outputs are wires.
System system_of(const circuit::Aig& aig);

}  // namespace plumb::system
