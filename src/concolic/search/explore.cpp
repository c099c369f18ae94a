// Concolic testing as in LLSPLAT (Algorithms 2 and 3), taken apart: a campaign holds the ways that no run went yet, and
// workers take one, ask the solver for inputs that go there, run them, and put back the ways that the new run shows.
// The order is a strategy's; the depth-first one gives Algorithm 3. Unlike there, a way is concrete data (inputs, a
// place on their path, an alternative), so any worker can take it and no terms need to be kept for it.
#include "concolic/search/explore.h"

#include <exception>
#include <thread>

#include "base/error.h"
#include "concolic/search/campaign.h"
#include "concolic/search/target.h"
#include "concolic/search/worker.h"

namespace plumb::concolic {

std::string_view name(ExploreReport::Stop stop) {
  switch (stop) {
    case ExploreReport::Stop::Complete:
      return "complete";
    case ExploreReport::Stop::AllBranches:
      return "all-branches";
    case ExploreReport::Stop::Error:
      return "error";
    case ExploreReport::Stop::Budget:
      return "budget";
  }
  return "unknown";
}

namespace {

/// An error of use before anything was run, and every error of our own, is for the caller; a target that fails later
/// leaves a report of what was found till then.
std::exception_ptr work(const ExploreOptions& options, const SearchParts& parts, Campaign& campaign,
                        const Budget& budget) {
  try {
    Worker(options, parts, campaign, budget).work();
  } catch (const OutOfBudget&) {
    campaign.give_up({});
  } catch (const UserError& error) {
    campaign.give_up(error.message());
    if (campaign.report().runs == 0) return std::current_exception();
  } catch (...) {
    campaign.give_up("an internal error");
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace

ExploreReport explore(const Subject& subject, const ExploreOptions& options, const ExploreListener& listener,
                      const Budget& budget, const SearchParts& parts, const EarlierSessions& earlier) {
  Campaign campaign(subject, options, listener, budget, parts.limits, earlier);
  const unsigned jobs = std::max(1U, options.jobs);
  std::vector<std::exception_ptr> problems(jobs);
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < jobs; ++i)
      threads.emplace_back([&, i] { problems[i] = work(options, parts, campaign, budget); });
    problems[0] = work(options, parts, campaign, budget);
  }
  for (const auto& problem : problems)
    if (problem) std::rethrow_exception(problem);
  return campaign.report();
}

std::function<std::unique_ptr<solve::Solver>(term::TermStore&)> solver_maker(const ExploreOptions& options,
                                                                             const Budget& budget) {
  solve::SolverOptions solver_options;
  solver_options.seed = options.seed;
  solver_options.memory_limited = budget.memory_limit().has_value();
  return [name = options.solver, solver_options](term::TermStore& store) {
    return solve::make_solver(store, name, solver_options);
  };
}

ExploreReport explore(const Subject& subject, const ExploreOptions& options, const ExploreListener& listener,
                      const Budget& budget, const EarlierSessions& earlier) {
  SearchParts parts;
  parts.make_target = [&] { return make_native_target(subject, options.limits, options.check_traces); };
  parts.make_solver = solver_maker(options, budget);
  return explore(subject, options, listener, budget, parts, earlier);
}

}  // namespace plumb::concolic
