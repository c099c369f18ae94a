#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "prove/prove.h"
#include "system/copy.h"
#include "system/expand_arrays.h"

namespace plumb::prove {

/// A system and one of its bads in the hands of one engine: the cone of influence over a store of its own, with that
/// bad alone. Made in the thread of the system that it is made from, then moved to that of the engine.
class Problem {
 public:
  enum class Form : std::uint8_t {
    Arrays,    ///< as the system has them
    Cells,     ///< taken apart unless they are large
    FewCells,  ///< taken apart if they are so small that each element is worth a thought
  };
  Problem(const System& whole, std::size_t bad, Form form);

  System& system() noexcept { return cells_ ? cells_->system : part_.system; }
  const System& system() const noexcept { return cells_ ? cells_->system : part_.system; }
  term::Term bad() const { return system().bads()[0].term; }
  /// Of the states of with_arrays(), as in certificates of the whole system.
  const std::vector<std::string>& symbols() const noexcept { return symbols_; }
  /// The system before arrays were taken apart; system() itself with Form::Arrays.
  System& with_arrays() noexcept { return part_.system; }
  /// A term over states of system() as one of with_arrays().
  term::Term to_arrays(term::Term t);
  /// A trace of system() as one of the whole.
  Trace to_whole(const Trace& trace) const;

 private:
  system::Part part_;
  std::optional<system::CellSystem> cells_;
  std::vector<std::string> symbols_;
};

/// The symbol of each state in certificates: its name, made unique and fit for SMT-LIB (without quotes).
std::vector<std::string> state_symbols(const System& system);

/// bmc() on a problem. The trace is one of Problem::system() and replayed on it.
Result run_bmc(Problem& problem, const Budget& budget, const BmcOptions& options);

/// Replays the trace on the problem's system. An engine of ours whose counterexample is none is broken.
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

/// What all engines of our own do around `search`, which returns a Result: the name, the time, the confirmation.
template <typename Search>
Result run_engine(const char* name, const Problem& problem, const Search& search) {
  const Stopwatch watch;
  Result result = search();
  result.engine = name;
  if (result.trace) confirm_counterexample(problem, result);
  add_run(result, watch.seconds());
  return result;
}

/// An engine on its own, `run` on a Problem: from the whole system and back to it.
template <typename Run>
Result run_alone(const System& whole, std::size_t bad, Problem::Form form, const Budget& budget, const Run& run) {
  Problem problem(whole, bad, form);
  if (auto result = vacuous_result(problem, budget)) return *result;
  return for_whole(whole, bad, problem, run(problem));
}

}  // namespace plumb::prove
