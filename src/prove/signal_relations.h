#pragma once

#include "circuit/aig.h"

namespace plumb::prove {

/// Relations between signals that were true in all steps from `from` on of some random runs that keep the constraints:
/// a signal is constant, or equal to another or to its complement. Of signals that depend on latches alone. Guesses,
/// one an output of a graph whose inputs are the latches; the same for the same circuit.
circuit::Aig signal_relations(const circuit::Aig& circuit, unsigned from);

}  // namespace plumb::prove
