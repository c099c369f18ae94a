#pragma once

#include <absl/container/flat_hash_set.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "concolic/search/candidate.h"
#include "concolic/search/target.h"
#include "concolic/search/worklist.h"

namespace plumb::concolic {

/// Inputs to run first.
struct SearchStart {
  std::vector<result::TestInput> inputs;
  std::uint64_t random_seed = 0;
  std::uint64_t earlier = 0;  ///< the number of the run of an earlier session that it repeats
};

/// One tree of paths and how far it was searched: what waits, and the runs that were cut off. Not thread-safe.
struct SearchTree {
  /// As Worklist.
  SearchTree(TreeId which, const Subject& subject, const SearchOptions& options, std::span<const std::uint8_t> covered,
             const SearchLimits& limits)
      : id(which), worklist(subject, options.strategy, options.seed, covered, limits) {}

  TreeId id;
  Worklist worklist;
  std::deque<SearchStart> starts;
  std::deque<std::shared_ptr<const Origin>> extensions;
  std::vector<std::shared_ptr<const Origin>> cut_runs;  ///< by the depth
  absl::flat_hash_set<std::uint64_t> cut_paths;         ///< of all that ever were in cut_runs, in this round
  std::uint32_t depth = 0;
  std::uint64_t runs_without_news = 0;
  std::uint32_t turn = 0;
};

/// Shares the work between two trees of the same program: each has a quarter at least, the rest goes with the edges
/// that it covered lately for its work. Counts runs, queries and the terms of regions' formulas, not seconds, so that
/// equal searches take equal turns. Not thread-safe.
class Shares {
 public:
  void ran(TreeId tree, std::uint64_t new_edges);
  void asked(TreeId tree) { spend(tree, kQuery); }
  void reran(TreeId tree) { spend(tree, kRun); }
  /// Regions were instantiated, with so many terms.
  void instantiated(std::uint64_t terms) { spend(TreeId::Regions, terms / kTerms); }
  /// The second tree has had less than its share since start().
  bool is_turn_of_paths() const;
  /// From now on.
  void start();

 private:
  static constexpr std::uint64_t kRun = 8;
  static constexpr std::uint64_t kQuery = 1;
  static constexpr std::uint64_t kTerms = 512;  ///< for one

  struct Side {
    double lately = 0;  ///< spent, what is long ago counting less
    double gain = 0;    ///< new edges, likewise
  };

  void spend(TreeId tree, std::uint64_t cost);
  double share_of_paths() const;

  std::array<Side, 2> sides_;
  double ahead_ = 0;  ///< work that the second tree has had beyond its share
};

}  // namespace plumb::concolic
