// Concolic testing as in LLSPLAT (Algorithms 2 and 3), taken apart: a campaign holds the ways that no run went yet, and
// workers take one, ask the solver for inputs that go there, run them, and put back the ways that the new run shows.
// The order is a strategy's; the depth-first one gives Algorithm 3. Unlike there, a way is concrete data (inputs, a
// place on their path, an alternative), so any worker can take it and no terms need to be kept for it.
#include "concolic/search/search.h"

#include <algorithm>

#include "base/error.h"
#include "base/parallel/loop.h"
#include "concolic/search/campaign.h"
#include "concolic/search/target.h"
#include "concolic/search/worker.h"

namespace plumb::concolic {

std::string_view name(SearchReport::Stop stop) {
  switch (stop) {
    case SearchReport::Stop::Complete:
      return "complete";
    case SearchReport::Stop::AllBranches:
      return "all-branches";
    case SearchReport::Stop::Error:
      return "error";
    case SearchReport::Stop::Budget:
      return "budget";
  }
  return "unknown";
}

namespace {

/// An error of use before anything was run, and every error of our own, is for the caller; a target that fails later
/// leaves a report of what was found till then.
void work(const SearchOptions& options, const SearchParts& parts, Campaign& campaign, const Budget& budget) {
  try {
    Worker(options, parts, campaign, budget).work();
  } catch (const OutOfBudget&) {
    campaign.give_up({});
  } catch (const UserError& error) {
    campaign.give_up(error.message());
    if (campaign.report().runs == 0) throw;
  } catch (...) {
    campaign.give_up("an internal error");
    throw;
  }
}

}  // namespace

SearchReport search(const Subject& subject, const SearchOptions& options, const SearchListener& listener,
                    const Budget& budget, const SearchParts& parts, const EarlierSessions& earlier) {
  Campaign campaign(subject, options, listener, budget, parts.limits, earlier);
  parallel::run_on(std::max(1U, options.jobs), [&](unsigned) { work(options, parts, campaign, budget); });
  return campaign.report();
}

std::function<std::unique_ptr<solve::Solver>(term::TermStore&)> solver_maker(const SearchOptions& options,
                                                                             const Budget& budget) {
  solve::SolverOptions solver_options;
  solver_options.seed = options.seed;
  solver_options.memory_limited = budget.memory_limit().has_value();
  return [name = options.solver, solver_options](term::TermStore& store) {
    return solve::make_solver(store, name, solver_options);
  };
}

SearchReport search(const Subject& subject, const SearchOptions& options, const SearchListener& listener,
                    const Budget& budget, const EarlierSessions& earlier) {
  SearchParts parts;
  parts.make_target = [&] { return make_native_target(subject, options.limits, options.check_traces); };
  parts.make_solver = solver_maker(options, budget);
  return search(subject, options, listener, budget, parts, earlier);
}

}  // namespace plumb::concolic
