#pragma once

#include <absl/container/flat_hash_map.h>

#include <list>
#include <memory>

#include "concolic/search/campaign.h"
#include "concolic/search/refutations.h"
#include "concolic/search/target.h"

namespace plumb::concolic {

/// Does the jobs of a campaign with a target, a store and a solver of its own. Traces are kept while they are recent;
/// when the store has grown too large, store, solver and traces are dropped, and what is needed of them again is made
/// by running the origin of a candidate once more.
class Worker {
 public:
  Worker(const SearchOptions& options, const SearchParts& parts, Campaign& campaign, const Budget& budget);

  /// Until the campaign is over.
  void work();

 private:
  struct Cached {
    std::uint64_t run = 0;
    Trace trace;
  };

  void execute(const Job& job);
  void solve(const Candidate& candidate);
  /// Why a run is made.
  struct Reason {
    TreeId tree = TreeId::Regions;
    const Candidate* candidate = nullptr;
    std::uint64_t earlier = 0;        ///< number of the run of an earlier session that it repeats
    const Origin* shorter = nullptr;  ///< the run that it makes longer
  };
  void run(std::span<const result::TestInput> inputs, std::uint64_t random_seed, const Reason& reason);
  /// Of a run that comes to the candidate's node; null if it did not come there again. Good until the next call.
  const Trace* trace_of(const Origin& origin, const Candidate& candidate);
  const Trace& keep(std::uint64_t run, Trace trace);
  /// A model of the query with `near` in place of the one given, if there is one.
  void prefer_near(std::vector<term::Term>& query, term::Term near, term::Assignment& model);
  /// The solver's model with a value for every variable of the query.
  term::Assignment complete_model(std::span<const term::Term> query);
  void note_region_costs(const Trace& trace);
  void start_anew_if_full();

  const SearchOptions& options_;
  const SearchParts& parts_;
  Campaign& campaign_;
  const Budget& budget_;
  std::unique_ptr<Target> target_;
  std::unique_ptr<solve::Solver> solver_;
  std::list<Cached> recent_;  ///< the newest first
  absl::flat_hash_map<std::uint64_t, std::list<Cached>::iterator> by_run_;
  std::size_t cached_nodes_ = 0;
  absl::flat_hash_map<term::Term, std::vector<term::Term>> variables_;  ///< of conditions that were asked for
  Refutations refutations_;
  term::TermSet seen_;                           ///< room for term::support()
  std::vector<TraceBuilder::RegionCost> costs_;  ///< as last seen
};

}  // namespace plumb::concolic
