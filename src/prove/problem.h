#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "prove/prove.h"
#include "system/copy.h"

namespace plumb::prove {

/// A system and one of its bads in the hands of one engine: the cone of influence over a store of its own, with that
/// bad alone. Made in the thread of the system that it is made from, then moved to that of the engine.
struct Problem {
  Problem(const System& whole, std::size_t bad);

  system::Part part;
  std::vector<std::string> symbols;  ///< of the part's states, as in certificates of the whole system

  System& system() noexcept { return part.system; }
  term::Term bad() const { return part.system.bads()[0].term; }
};

/// The symbol of each state in certificates: its name, made unique and fit for SMT-LIB (without quotes).
std::vector<std::string> state_symbols(const System& system);

/// Engines on problems. Traces are those of the part and replayed on it; they may throw OutOfBudget only where they
/// say so.
Result run_bmc(Problem& problem, const Budget& budget, const BmcOptions& options);
Result run_k_induction(Problem& problem, const Budget& budget, const InductionOptions& options);

/// Replays the trace on the part. An engine of ours whose counterexample is none is broken.
void confirm_counterexample(const Problem& problem, Result& result);
/// The result of an engine as one of the whole system, with the trace widened and replayed there.
Result for_whole(const System& whole, std::size_t bad, const Problem& problem, Result result);
/// If no run satisfies the constraints even in its first step, the verdict is Holds for that reason alone.
std::optional<Result> vacuous_result(Problem& problem, const Budget& budget);
void add_run(Result& result, double seconds);

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace plumb::prove
