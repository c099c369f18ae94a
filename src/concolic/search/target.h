#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "concolic/execute/executor.h"
#include "concolic/search/search.h"
#include "concolic/trace/trace.h"
#include "concolic/trace/trace_builder.h"
#include "solve/solver.h"
#include "term/value.h"

namespace plumb::concolic {

/// What one run gave. The coverage is a view that is good until the next run.
struct TargetRun {
  RunEnd end = RunEnd::Exit;
  int code = 0;
  SiteId error_site = 0;
  std::span<const std::uint8_t> coverage;  ///< by EdgeId
  double seconds = 0;
  Trace trace;  ///< terms of Target::store()
};

/// A program that the search can run: everything it knows of the program under test besides the Subject. Runs with the
/// same request and modes take the same path. One a worker; not thread-safe.
class Target {
 public:
  virtual ~Target() = default;

  virtual TargetRun run(const RunRequest& request, const Budget& budget) = 0;
  /// Of the traces since the last reset().
  virtual term::TermStore& store() = 0;
  /// The inputs of `parent` with the values that the model gives; variables it does not mention keep theirs.
  virtual std::vector<result::TestInput> inputs_of(const Trace& parent, const term::Assignment& model) = 0;
  /// Forgets all terms: store() is a new one, traces and solvers of the old one must be gone.
  virtual void reset() = 0;
  /// By region, since the last reset().
  virtual std::span<const TraceBuilder::RegionCost> region_costs() = 0;
};

/// The instrumented executable of a subject, which must outlive it. `check_traces` as in SearchOptions.
std::unique_ptr<Target> make_native_target(const Subject& subject, const RunLimits& limits, bool check_traces = false);

/// What bounds the search's own memory and patience. Decisions are made on counts, never on the clock.
struct SearchLimits {
  std::uint32_t first_depth = 64;  ///< path nodes of the first runs
  /// The same for whole programs: they read their arguments before they do anything, and end by themselves.
  std::uint32_t first_depth_of_programs = 1024;
  std::uint64_t stall_runs = 400;                       ///< without a new edge, before runs may go deeper
  std::uint64_t further_runs = 500;                     ///< as Until::AllBranches says
  std::uint64_t runs_of_regions = 100;                  ///< before RegionUse::Auto makes runs of single paths as well
  std::size_t max_candidates = 2'000'000;               ///< waiting; what is dropped beyond makes the search incomplete
  std::size_t max_cut_runs = 20'000;                    ///< kept to be run again when the depth grows
  std::uint32_t max_terms = 4'000'000;                  ///< of a worker's store, before it starts anew
  std::size_t max_cached_nodes = 2'000'000;             ///< nodes and alternatives of the traces that a worker keeps
  std::chrono::duration<double> first_query_time{0.5};  ///< of a query's first try; the second has all of query_time
};

/// What search() is made of; tests put in their own. Factories are called by each worker.
struct SearchParts {
  std::function<std::unique_ptr<Target>()> make_target;
  std::function<std::unique_ptr<solve::Solver>(term::TermStore&)> make_solver;
  SearchLimits limits;
};

/// Makes solvers as the options name them, for SearchParts. Both may go.
std::function<std::unique_ptr<solve::Solver>(term::TermStore&)> solver_maker(const SearchOptions& options,
                                                                             const Budget& budget);

SearchReport search(const Subject& subject, const SearchOptions& options, const SearchListener& listener,
                    const Budget& budget, const SearchParts& parts, const EarlierSessions& earlier = {});

}  // namespace plumb::concolic
