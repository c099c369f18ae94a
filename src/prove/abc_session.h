#pragma once

#include <vector>

#include "prove/problem.h"
#include "system/to_circuit.h"

namespace plumb::prove {

/// A problem in the hands of ABC: its circuit, reduced once, and proofs on it that are believed only after a check of
/// our own. After construction run() may be called from several threads, with a Problem each.
class AbcSession {
 public:
  /// Makes the circuit and reduces it. Throws OutOfBudget, and Unsupported if the system is too large for a circuit.
  AbcSession(Problem& problem, const std::vector<circuit::AbcStep>& reduction, const circuit::AbcOptions& options,
             const Budget& budget);

  const circuit::AbcDriver::Reduced& reduced() const noexcept { return reduced_; }
  const circuit::AbcDriver& driver() const noexcept { return driver_; }

  /// One proof. `problem` must have been made of the same system and bad as that of the constructor.
  Result run(const circuit::AbcStep& step, Problem& problem, const Budget& budget, bool trust_abc) const;

 private:
  /// The verdict Violated, if the counterexample is one.
  void violated(const circuit::AbcProof& proof, Problem& problem, Result& result) const;
  /// The verdict Holds with a certificate for ABC's claim, if one can be found and proved; otherwise a reason. A claim
  /// that turns out wrong on the way is Violated.
  void recheck(const circuit::AbcStep& step, const circuit::AbcProof& proof, Problem& problem, const Budget& budget,
               Result& result) const;
  bool certify(const std::vector<term::Term>& conjuncts, Problem& problem, const Budget& budget, Result& result) const;
  bool certify_reduced(std::vector<term::Term> conjuncts, Problem& problem, const Budget& budget, Result& result) const;

  system::SystemCircuit circuit_;
  circuit::AbcDriver driver_;
  circuit::AbcDriver::Reduced reduced_;
  bool keeps_latches_ = true;  ///< the reduction was combinational
  unsigned from_ = 0;          ///< the step from which on ABC's invariants speak of the system
};

}  // namespace plumb::prove
