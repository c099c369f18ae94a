#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <string>
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

/// Throws UserError if the script is none of reductions alone.
std::vector<circuit::AbcStep> parse_reduction(const std::string& script);

/// One session for several engines. Whoever comes first makes it in its own thread, and the others wait for it.
class SharedAbcSession {
 public:
  /// In the thread of the system.
  SharedAbcSession(const System& system, std::size_t bad, std::vector<circuit::AbcStep> reduction,
                   const circuit::AbcOptions& options);

  /// Null if there is none, with why in reason(). From any thread.
  const AbcSession* get(const Budget& budget);
  const std::string& reason() const noexcept { return reason_; }
  const AbcSession* made() const noexcept { return session_.get(); }

 private:
  void make(const Budget& budget);

  const circuit::AbcOptions options_;
  const std::vector<circuit::AbcStep> reduction_;
  Problem problem_;
  std::mutex mutex_;
  bool is_tried_ = false;
  std::unique_ptr<AbcSession> session_;
  std::string reason_;
  std::exception_ptr failure_;
};

}  // namespace plumb::prove
