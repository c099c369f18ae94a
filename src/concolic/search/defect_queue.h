#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <queue>
#include <set>
#include <vector>

#include "concolic/search/strategy.h"

namespace plumb::concolic {

/// Violations of checks behind which a run goes on. They lead to no edge and there is one at every access of every
/// path, so they wait apart from the ways that the strategies choose from. The target with the fewest attempts comes
/// first, so that an access in a loop does not keep the others waiting. When a target has given its defect, what is
/// left of it waits until all else was tried: what lies behind the violation is a path like others. Not thread-safe.
class DefectQueue {
 public:
  void add(CandidateId id, const Candidate& candidate);
  /// Of a target that gave no defect and was tried fewer than `max_attempts` times; nothing if there is none. Counts as
  /// an attempt.
  std::optional<CandidateId> pick(const CandidateTable& table, std::uint32_t max_attempts);
  /// Of a target that gave its defect.
  std::optional<CandidateId> pick_settled(const CandidateTable& table);
  /// An attempt took all the time it may: counts as several.
  void was_hard(std::uint64_t target);
  /// Gives false if it was settled before.
  bool settle(std::uint64_t target);
  /// An attempt at a place that several callers share gave a defect, or one that is known: settled after some of these
  /// in a row. Gives true if it is settled by that.
  bool repeated(std::uint64_t target, bool is_new);
  bool is_settled(std::uint64_t target) const;
  /// Forgets those that are not in the table.
  void compact(const CandidateTable& table);

 private:
  struct Entry {
    VisitRank rank;
    std::uint32_t node = 0;
    CandidateId id = 0;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  using Waiting = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;
  struct Goal {
    Waiting waiting;
    std::uint32_t attempts = 0;
    std::uint32_t repeats = 0;
    bool is_settled = false;
  };
  struct Turn {
    std::uint32_t attempts = 0;
    std::uint32_t goal = 0;
    friend auto operator<=>(const Turn&, const Turn&) = default;
  };
  using Turns = std::set<Turn>;

  Goal& goal(std::uint64_t target);
  /// Must be called before `attempts`, `waiting` or `is_settled` of a goal change, and enlist() after.
  void delist(std::uint32_t goal);
  void enlist(std::uint32_t goal);
  std::optional<CandidateId> pick(Turns& turns, const CandidateTable& table, std::uint32_t max_attempts);

  std::vector<Goal> goals_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> places_;  ///< in goals_, by target
  Turns open_;                                                ///< goals with candidates that wait
  Turns settled_;
};

}  // namespace plumb::concolic
