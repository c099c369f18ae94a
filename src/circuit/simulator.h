#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "circuit/aig.h"

namespace plumb::circuit {

/// Simulates 64 runs of an Aig side by side: bit k of every word belongs to run k. The Aig must outlive the simulator;
/// nodes that are added to it later are picked up by the next call, new latches with their initial values. Not
/// thread-safe.
class Simulator {
 public:
  /// Latches start as after reset(), inputs are zero.
  explicit Simulator(const Aig& aig);

  /// Latches to their initial values; free ones take the words of `free_latches` in order (missing ones are zero).
  void reset(std::span<const std::uint64_t> free_latches = {});
  /// `ordinal` as in Aig::inputs(). An input keeps its word until it is set again.
  void set_input(std::uint32_t ordinal, std::uint64_t word);
  /// Computes all and nodes from inputs and latches.
  void evaluate();
  /// Moves every latch to its next value; evaluate() must have run since the last change of an input or latch.
  void step();
  /// Needs a node that the last call saw.
  std::uint64_t value(Lit lit) const noexcept {
    return values_[lit.node()] ^ (lit.complemented() ? ~std::uint64_t{0} : 0);
  }

 private:
  /// Makes room for nodes added to the Aig since the last call.
  void pick_up_new_nodes();

  const Aig& aig_;
  std::vector<std::uint64_t> values_;       ///< by node
  std::vector<std::uint64_t> next_values_;  ///< by latch, only during step()
};

}  // namespace plumb::circuit
