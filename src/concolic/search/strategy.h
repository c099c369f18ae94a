#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "concolic/search/candidate.h"
#include "concolic/search/distances.h"
#include "concolic/search/search.h"

namespace plumb::concolic {

/// Of a candidate, in the order in which they were found; never used again.
using CandidateId = std::uint64_t;
/// The candidates that wait.
using CandidateTable = absl::flat_hash_map<CandidateId, Candidate>;

/// Chooses among the candidates that wait. Several strategies can look at one table: each hears of every new candidate,
/// and passes over those that are no longer in the table. Deterministic for a seed.
class SearchStrategy {
 public:
  virtual ~SearchStrategy() = default;

  /// New candidates of one trace, by node.
  virtual void add(std::span<const CandidateId> of_one_trace, const CandidateTable& table) = 0;
  /// The next one to try, which is in the table; nothing if none of those it was told of is.
  virtual std::optional<CandidateId> pick(const CandidateTable& table) = 0;
  /// An attempt at the target gave no new edge.
  virtual void failed(std::uint64_t target) { static_cast<void>(target); }
  /// Forgets those that are not in the table.
  virtual void compact(const CandidateTable& table) = 0;
};

/// Algorithm 3 of LLSPLAT: the deepest node of the last run that is not done, its destinations in their order. What the
/// algorithm does not know, edges inside of regions, comes when it has completed.
std::unique_ptr<SearchStrategy> make_depth_first();

/// All nodes of a run, then those of the next one; runs that covered more new edges first (Godefroid, Levin and Molnar,
/// "Automated Whitebox Fuzz Testing", 2008).
std::unique_ptr<SearchStrategy> make_generational();

/// The target that is nearest to an edge that is not covered; each attempt at a target that covers nothing new makes it
/// one step farther. `distances` must outlive it.
std::unique_ptr<SearchStrategy> make_coverage_guided(const Subject& subject, Distances& distances);

/// A random walk down from the root: candidates behind few nodes are likelier, whatever the number of those behind many
/// (Cadar, Dunbar and Engler, "KLEE", 2008).
std::unique_ptr<SearchStrategy> make_random_path(std::uint64_t seed);

/// Coverage-guided, generational and random path in turn.
std::unique_ptr<SearchStrategy> make_interleaved(const Subject& subject, Distances& distances, std::uint64_t seed);

std::unique_ptr<SearchStrategy> make_strategy(Strategy strategy, const Subject& subject, Distances& distances,
                                              std::uint64_t seed);

}  // namespace plumb::concolic
