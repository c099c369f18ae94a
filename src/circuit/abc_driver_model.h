#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "circuit/aig.h"

namespace plumb::circuit {

/// The choices of a run of a circuit: of latches that start free, by ordinal, and of inputs, by step and ordinal.
struct AbcCounterexample {
  std::vector<bool> latches;
  std::vector<std::vector<bool>> inputs;
};

/// A circuit as ABC's provers want it: one output, which is to stay false; latches that start with zero; no
/// constraints. A latch that starts with one is stored complemented. One that starts free is passed by in the first
/// step, by an input. A latch `V` remembers that a constraint was broken. Latches and inputs are called by what they
/// are and their ordinal (`L7`, `I3`, `F7` for the free start of latch 7), so that what comes back can be told by name
/// whatever ABC did to the order.
class AbcModel {
 public:
  /// Needs bad < circuit.bads().size(). Throws OutOfBudget.
  AbcModel(const Aig& circuit, std::size_t bad, const Budget& budget);

  const Aig& aig() const noexcept { return aig_; }
  /// An invariant of the model is one of the circuit only behind the first step: some latch starts free.
  bool has_free_start() const noexcept { return started_ != kFalse; }

  /// What a latch of the model is in a run of the circuit that has kept the constraints, behind the first step: a latch
  /// of the circuit, with a sign, or a constant.
  struct Meaning {
    std::optional<std::uint32_t> latch;
    bool complemented = false;  ///< the value itself if there is no latch
  };
  /// Nothing for a name that is not of the model: ABC made the latch.
  std::optional<Meaning> latch_meaning(std::string_view name) const;
  /// Sets what an input of the model chooses in a step; does nothing for a name that is not of the model.
  void choose(AbcCounterexample& run, std::string_view name, std::size_t step, bool value) const;
  /// Makes it a run of that many steps and with all latches.
  void extend(AbcCounterexample& run, std::size_t steps) const;
  std::size_t latch_count() const noexcept { return latches_.size(); }  ///< of the circuit

 private:
  void declare(const Aig& circuit, const Budget& budget);
  void connect(const Aig& circuit, std::size_t bad);
  Lit literal(Lit l) const { return literals_[l.node()] ^ l.complemented(); }

  Aig aig_;
  Lit started_ = kFalse;  ///< false in the first step alone, if some latch starts free
  std::vector<LatchInit> inits_;
  std::size_t inputs_ = 0;
  std::vector<Lit> latches_;   ///< of the model, by ordinal in the circuit
  std::vector<Lit> literals_;  ///< by node of the circuit
};

}  // namespace plumb::circuit
