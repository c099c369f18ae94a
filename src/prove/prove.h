#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "circuit/abc_driver.h"
#include "result/finding.h"
#include "system/trace.h"

namespace plumb::prove {

using system::System;
using system::Trace;

/// Holds: confirmed by our own solver unless Result::is_rechecked says otherwise. HoldsUpTo: in steps 0 to
/// Result::bound of every run. Violated: Result::trace reaches the bad; it was replayed. Unknown: Result::reason says
/// why. Vacuous: no run satisfies the constraints even in its first step.
using result::Verdict;

/// Why a bad is never reached, in a form that anyone can check again (certificate.h). Text and numbers, so it crosses
/// threads.
struct Certificate {
  enum class Kind : std::uint8_t {
    /// `invariant` is true in every step from `from` on (0 or 1): it and the absence of the bad follow from themselves
    /// in the step before.
    Invariant,
    /// The bad is not reached in steps 0 to k - 1, and never behind k different states in a row that are not bad. If
    /// there is an `invariant`, it is true in the first step, follows from itself, and is used in all of these states.
    Induction,
    /// The bad is not reached in steps 0 to k, and no run changes its states from step k - 1 to step k: for each value
    /// of the states in `split` at the start, if there are any, on its own.
    Exhaustion,
  };
  Kind kind = Kind::Invariant;
  std::string invariant;  ///< an SMT-LIB term over the system's states, by their symbols (state_symbols())
  unsigned from = 0;
  std::size_t k = 0;
  std::vector<std::string> split = {};  ///< symbols of states without init
  /// Positions of the bads that were proved as one, if there were several: "the bad" is then any of them.
  std::vector<std::size_t> together = {};

  friend bool operator==(const Certificate&, const Certificate&) = default;
};

struct Result {
  Verdict verdict = Verdict::Unknown;
  std::string engine;  ///< that gave the verdict
  /// Of HoldsUpTo: the last step that was covered. Of Violated: the step in which the bad is reached. Of Holds: k,
  /// where the certificate has one.
  std::size_t bound = 0;
  std::string reason;  ///< of Unknown and HoldsUpTo: why there is not more
  std::optional<Trace> trace;
  std::optional<Certificate> certificate;
  /// Of a proof: the certificate was proved by our own solver. False only if Options::trust_abc was set.
  bool is_rechecked = false;
  /// An engine claims a proof that could not be checked again; the claim is not the verdict. "abc dprove".
  std::string unchecked_claim;

  std::vector<circuit::AbcDriver::Reduction> reductions;   ///< sizes before and behind each step; empty without ABC
  std::vector<result::Finding> engines;                    ///< what each did, whether it won or not
  std::vector<std::string> notes;                          ///< what was left out on the way, a sentence each
  std::vector<std::pair<std::string, double>> statistics;  ///< name and value, in a fixed order
};

struct BmcOptions {
  std::size_t max_bound = ~std::size_t{0};  ///< the last step to look at
  std::uint64_t seed = 1;
  /// Ask now and then whether all runs have come to rest, which makes a bounded answer a complete one.
  bool try_exhaustion = true;
};
/// Bounded model checking, step by step: Violated with a shortest counterexample, Holds by Exhaustion, HoldsUpTo
/// max_bound, or HoldsUpTo with the reason when the budget ends.
Result bmc(const System& system, std::size_t bad, const Budget& budget, const BmcOptions& options = {});

struct SplitOptions {
  BmcOptions bmc;
  /// Of all states together whose values are told apart; at most 16.
  std::uint32_t max_bits = 9;
  unsigned threads = 1;
};
/// BMC for each initial value of some states that loops are bounded by: with these fixed the counters of loops are
/// constants in every step. Holds by Exhaustion if all cases do; Violated, not always with a shortest counterexample,
/// as soon as one is; otherwise the bound that all have. Unknown if there is no state that is worth it.
Result bmc_split(const System& system, std::size_t bad, const Budget& budget, const SplitOptions& options = {});

/// Every path through the control of the system by itself: Violated, Holds by Exhaustion if all paths end, HoldsUpTo
/// max_bound. Unknown where no state tells runs apart.
Result path_bmc(const System& system, std::size_t bad, const Budget& budget, const BmcOptions& options = {});

struct InductionOptions {
  std::size_t max_k = ~std::size_t{0};
  std::uint64_t seed = 1;
};
/// k-induction with k = 1, 2, …: Holds by Induction, Violated from its base case, or what the base case covers.
Result k_induction(const System& system, std::size_t bad, const Budget& budget, const InductionOptions& options = {});

struct GuessOptions {
  std::uint64_t seed = 1;
};
/// Induction with invariants that are guessed from random runs: relations between the registers at a program counter
/// (linear equations modulo powers of two, orders, ranges, constants of the system) that hold in all samples, weeded
/// out until the rest is inductive. Holds by Invariant or Induction, Unknown otherwise; finds no counterexamples but by
/// chance.
Result guess_invariants(const System& system, std::size_t bad, const Budget& budget, const GuessOptions& options = {});

struct ModesOptions {
  std::uint64_t seed = 1;
};
/// Induction with relations between registers that have few values, the places of machines that work side by side: two
/// values that exclude each other, a value that needs another in one of several alike registers, equations between
/// words where a register has a value. Seen in random runs, kept where they follow from each other. Holds or Unknown.
Result prove_by_modes(const System& system, std::size_t bad, const Budget& budget, const ModesOptions& options = {});

/// The reduction of the default script.
inline constexpr std::string_view kDefaultReduction = "scl; scorr; dc2; balance";
/// For machines that work side by side: signals that are equal in all steps are few there, and proofs without them can
/// be checked again more often.
inline constexpr std::string_view kMachineReduction = "scl; dc2; balance";

struct AbcProveOptions {
  circuit::AbcOptions abc;
  std::string script = std::string(kDefaultReduction) + "; pdr";
  bool trust_abc = false;  ///< a proof that cannot be re-checked counts as Holds
};
/// ABC alone: the reductions of the script, then its proofs one after the other until one decides. Throws UserError for
/// a script that is not well-formed. Counterexamples are replayed, proofs re-checked.
Result abc_prove(const System& system, std::size_t bad, const Budget& budget, const AbcProveOptions& options);
Result abc_prove(const System& system, std::size_t bad, const Budget& budget);

/// For machines that work side by side, with choices in every step: no paths to follow, no loops to split by.
std::vector<std::string> machine_engines();

struct Options {
  circuit::AbcOptions abc;
  std::string reduction = std::string(kDefaultReduction);
  /// Names of engines() (engine.h), such as "bmc", "abc int -T 20"; empty: those by default, for programs and designs.
  std::vector<std::string> engines;
  std::size_t max_bound = ~std::size_t{0};
  std::uint64_t seed = 1;
  bool trust_abc = false;
};
/// All engines side by side, within the budget: the first that holds or is violated decides and the others are stopped.
/// If none does, the greatest bound. The verdict is the same whoever is first; engine, trace and certificate may
/// differ. Throws UserError for an engine or a reduction that does not exist; an engine that fails costs its own answer
/// alone. An InternalError of an engine is thrown on.
Result prove(const System& system, std::size_t bad, const Budget& budget, const Options& options);
Result prove(const System& system, std::size_t bad, const Budget& budget);

/// Several bads, a result each in the order given. They are tried together first (if none can be reached, one proof is
/// enough for all); what a counterexample reaches is taken out and the rest tried again. Each bad has at least its
/// share of the budget's time that is left.
std::vector<Result> prove_all(const System& system, std::span<const std::size_t> bads, const Budget& budget,
                              const Options& options);

}  // namespace plumb::prove
