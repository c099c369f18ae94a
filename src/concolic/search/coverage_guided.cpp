// Candidates that aim at the same alternative of the same site are one target, however many paths and visits lead
// there. The score of a target is its distance to an edge that is not covered plus the number of attempts that gave
// nothing, so a near edge that cannot be taken does not keep the search from others. Within a target the visits come as
// VisitRank says. A pick looks at all targets, of which there are no more than alternatives in the code.
#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <queue>
#include <vector>

#include "concolic/search/strategy.h"

namespace plumb::concolic {

using instrument::RegionPlan;

namespace {

class CoverageGuided : public SearchStrategy {
 public:
  CoverageGuided(const Subject& subject, Distances& distances) : subject_(subject), distances_(distances) {}

  void add(std::span<const CandidateId> ids, const CandidateTable& table) override {
    for (const CandidateId id : ids) {
      const Candidate& candidate = table.at(id);
      const auto [it, is_new] = places_.try_emplace(candidate.target, goals_.size());
      if (is_new) goals_.push_back({candidate, 0, {}});
      goals_[it->second].waiting.push({VisitRank(candidate.visit), candidate.node, id});
    }
  }

  std::optional<CandidateId> pick(const CandidateTable& table) override {
    Goal* best = nullptr;
    std::uint64_t best_score = 0;
    for (Goal& goal : goals_) {
      while (!goal.waiting.empty() && !table.contains(goal.waiting.top().id)) goal.waiting.pop();
      if (goal.waiting.empty()) continue;
      const std::uint64_t score = std::uint64_t{distance(goal.sample)} + goal.failures;
      if (best == nullptr || score < best_score) {
        best = &goal;
        best_score = score;
      }
    }
    if (best == nullptr) return std::nullopt;
    return best->waiting.top().id;
  }

  void failed(std::uint64_t target) override {
    if (const auto it = places_.find(target); it != places_.end()) ++goals_[it->second].failures;
  }

  void compact(const CandidateTable& table) override {
    for (Goal& goal : goals_) {
      Queue kept;
      for (; !goal.waiting.empty(); goal.waiting.pop())
        if (table.contains(goal.waiting.top().id)) kept.push(goal.waiting.top());
      goal.waiting = std::move(kept);
    }
  }

 private:
  struct Entry {
    VisitRank rank;
    std::uint32_t node = 0;  ///< the shorter way there: its query and its runs cost less
    CandidateId id = 0;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;
  struct Goal {
    Candidate sample;  ///< one that aims here
    std::uint64_t failures = 0;
    Queue waiting;
  };

  std::uint32_t distance(const Candidate& c) {
    if (c.is_escape) return Distances::kFar;
    switch (c.kind) {
      case Alternative::Kind::Edge:
      case Alternative::Kind::InnerEdge:
        return distances_.of_edge(c.edge);
      case Alternative::Kind::Destination: {
        const RegionPlan& plan = subject_.regions[c.site];
        return distances_.of_block(plan.function, plan.destinations[c.index]);
      }
      // What lies behind is not known, and no run was there.
      case Alternative::Kind::Target:
      case Alternative::Kind::Assumption:
        return 0;
      // The run ends there.
      case Alternative::Kind::Violation:
        return Distances::kFar;
    }
    return Distances::kFar;
  }

  const Subject& subject_;
  Distances& distances_;
  absl::flat_hash_map<std::uint64_t, std::size_t> places_;  ///< by target
  std::vector<Goal> goals_;
};

}  // namespace

std::unique_ptr<SearchStrategy> make_coverage_guided(const Subject& subject, Distances& distances) {
  return std::make_unique<CoverageGuided>(subject, distances);
}

}  // namespace plumb::concolic
