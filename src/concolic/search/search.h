#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "concolic/execute/executor.h"
#include "concolic/trace/trace.h"
#include "instrument/subject.h"
#include "instrument/symbolic_environment.h"
#include "replay/found_error.h"
#include "result/campaign/campaign_store.h"
#include "result/gap.h"
#include "result/test_case.h"

namespace plumb::concolic {

using instrument::SymbolicEnvironment;
using replay::FoundError;

/// Auto: regions that cost too much are given up; and after some time paths are also searched one by one, in turn with
/// the regions, since which finds more is not known beforehand.
enum class RegionUse : std::uint8_t { Off, On, Auto };
enum class Strategy : std::uint8_t { Interleaved, DepthFirst, Generational, Coverage, RandomPath };
enum class Until : std::uint8_t {
  /// All branches are covered and no check that may fail waits to be tried. With checks of memory also as many runs
  /// again,
  /// and SearchLimits::further_runs at least, were made without a new defect: some depend on which branches a path
  /// combines (a free in one, a use in another).
  AllBranches,
  Error,
  Time,
};

struct SearchOptions {
  RunLimits limits;
  SymbolicEnvironment environment;  ///< what of the program's surroundings is symbolic
  RegionUse regions = RegionUse::Auto;
  Strategy strategy = Strategy::Interleaved;
  Until until = Until::AllBranches;
  unsigned jobs = 1;
  std::uint64_t seed = 1;
  std::string solver = "native";
  std::chrono::duration<double> query_time{10.0};  ///< at most, a query
  std::uint32_t max_depth = 0;                     ///< path nodes a run; 0: grows as far as it helps
  std::uint32_t max_loop = 0;           ///< visits of one site on a path at which other ways are tried; 0: no bound
  std::vector<result::TestCase> seeds;  ///< run first
  bool all_errors = false;              ///< keep a test for every path that ends in an error, not one a place
  std::function<bool(const FoundError&)> ends_search;  ///< asked by Until::Error; empty: every error does
  bool check_traces = false;  ///< hold each trace against its run; a contradiction is an InternalError
};

/// One run that is worth keeping.
struct FoundTest {
  std::uint32_t number = 0;  ///< from 1
  result::TestCase test;
  RunEnd end = RunEnd::Exit;
  int code = 0;
  std::vector<EdgeId> new_edges;  ///< covered by it first
  std::vector<EdgeId> edges;      ///< all that it covers, of those that count, rising
  double seconds = 0;             ///< since the start
};

/// A run on a path that no other had.
struct PathRun {
  std::uint64_t number = 0;    ///< of the run, from 1
  std::uint64_t replaces = 0;  ///< the run of which this is a longer one; 0: none
  bool is_earlier = false;     ///< it was told in an earlier session
  std::uint64_t random_seed = 0;
  RunEnd end = RunEnd::Exit;
  int code = 0;
  std::span<const result::TestInput> inputs;  ///< as the runtime numbers them; see to_test()
};

/// Where a campaign stands. The keys and targets of `search` are told one by one instead.
struct SearchState {
  result::StoredSearch search;
  std::vector<result::StoredBranch::State> edges;  ///< by EdgeId
};

/// What earlier sessions of the same campaign left: the search goes on from there. Its runs are made again, which gives
/// the ways that were not tried yet; those that were answered are not asked for again.
struct EarlierSessions {
  result::StoredSearch search;
  std::vector<result::StoredRun> runs;
  std::vector<result::StoredTest> tests;
  std::vector<FoundError> errors;
};

/// Called by workers, one at a time. What throws a UserError ends the search: the report has its message. All that was
/// told up to a test or a state is a session that a search can go on from; what was told since belongs to the next one.
struct SearchListener {
  std::function<void(const FoundTest&)> on_test;                ///< each new test, at once
  std::function<void(const FoundError&)> on_error;              ///< new, or known with a longer input; before its test
  std::function<void(const struct SearchStatus&)> on_progress;  ///< a few times a second
  std::function<void(const PathRun&)> on_path;
  std::function<void(std::uint64_t key)> on_refuted;  ///< a way that no input takes
  std::function<void(std::uint64_t key)> on_run_one;  ///< a way whose inputs were run: after its path, before its test
  std::function<void(std::uint64_t target)> on_settled;  ///< a target that gave an error
  /// Every few seconds, at once when something was left out that makes the search incomplete, and before deeper runs.
  std::function<void(const SearchState&)> on_state;
};

struct SearchStatus {
  std::uint32_t edges_covered = 0;
  std::uint32_t edges_total = 0;
  std::uint64_t runs = 0;
  std::uint64_t pending = 0;
};

/// Why nothing (more) is to be found, and what all of it cost.
struct SearchReport {
  enum class Stop : std::uint8_t {
    Complete,     ///< every path within the bounds was explored
    AllBranches,  ///< covered
    Error,        ///< found, and asked for
    Budget,       ///< time, memory or Ctrl-C
  };
  Stop stop = Stop::Complete;
  bool is_exhaustive = false;  ///< Complete, and no bound, gap, divergence, unknown answer or timeout left anything out
  std::vector<result::Gap> gaps;      ///< of the subject and of its runs
  std::vector<std::uint8_t> covered;  ///< by EdgeId
  std::vector<std::uint8_t>
      infeasible;  ///< by EdgeId: not covered, and refuted on every path that reaches its site (only if is_exhaustive)
  std::uint32_t edges_covered = 0;  ///< of counted sites
  std::uint32_t edges_total = 0;
  std::vector<FoundError> errors;
  std::uint64_t runs = 0;
  std::uint64_t reruns = 0;  ///< of known inputs, to have their terms again
  std::uint64_t tests = 0;
  std::uint64_t paths = 0;             ///< different ones
  std::uint64_t region_visits = 0;     ///< regions encoded
  std::uint64_t regions_switched = 0;  ///< to per-path by the cost model
  std::uint64_t queries = 0, sat = 0, unsat = 0, unknown = 0;
  std::uint64_t divergences = 0;
  std::map<RunEnd, std::uint64_t> ends;
  std::map<LostPrecision, std::uint64_t> lost;
  std::uint64_t inputs_read = 0;     ///< by the first run
  std::uint64_t symbolic_nodes = 0;  ///< in all runs
  double seconds_running = 0, seconds_solving = 0;
  double seconds_total = 0;    ///< of this session
  double seconds_earlier = 0;  ///< of those before
  std::string problem;         ///< of a worker that could not go on
  SearchState state;           ///< at the end
};
std::string_view name(SearchReport::Stop stop);  ///< "complete", "all-branches", …

/// Tests the subject until the options' aim, the end of all paths or of the budget. With one job the result depends on
/// the seed alone (and on time only where the budget cuts it off). Counts of tests and runs include those of `earlier`,
/// which is of the same subject.
SearchReport search(const Subject& subject, const SearchOptions& options, const SearchListener& listener,
                    const Budget& budget, const EarlierSessions& earlier = {});

}  // namespace plumb::concolic
