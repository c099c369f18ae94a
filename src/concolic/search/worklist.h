#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "concolic/search/defect_queue.h"
#include "concolic/search/strategy.h"
#include "concolic/search/target.h"

namespace plumb::concolic {

/// The candidates that were found and not yet tried. Each (prefix, alternative) is taken once; edges inside of regions
/// only while no run took them, violations only while their target has given no error or the way to them has edges that
/// no run that counts took. Not thread-safe.
class Worklist {
 public:
  /// `covered` by EdgeId: may change between calls (see coverage_changed()) and must outlive it, as must `subject`.
  Worklist(const Subject& subject, Strategy strategy, std::uint64_t seed, std::span<const std::uint8_t> covered,
           const SearchLimits& limits);

  /// Those of one trace; what is known already, went this way or is not worth a query is left out.
  void add(Enumeration enumeration);
  /// In the strategy's order, every fourth time a violation if one is urgent, every third one a defect that was seldom
  /// tried; nothing if all were taken but for take_late_defect().
  std::optional<Candidate> take();
  /// A violation of a target that has had few attempts.
  std::optional<Candidate> take_urgent();
  /// That a check fails behind which the run goes on, at a place and of a kind that gave no defect yet, and was not
  /// tried often.
  std::optional<Candidate> take_defect();
  /// When all others were taken: the same where it was tried often, then where the defect is known. What lies behind
  /// that may not be.
  std::optional<Candidate> take_late_defect();
  /// When all others were taken: that a pin or the bounds of an address do not hold.
  std::optional<Candidate> take_escape();
  /// Of those put aside by retry_later().
  std::optional<Candidate> take_retry();

  /// Before anything is added: keys that an earlier session refuted or ran, targets that gave it an error.
  void restore(const result::StoredSearch& earlier);

  void coverage_changed() { distances_.set_covered(covered_); }
  /// The attempt gave no new edge.
  void failed(const Candidate& candidate) { strategy_->failed(candidate.target); }
  /// It was unsatisfiable, which stays so in every mode.
  void refuted(const Candidate& candidate);
  /// A violation gave an error: others at the same target would give the same.
  void settle(const Candidate& candidate) { violations_[candidate.target].is_settled = true; }
  /// A run showed this defect. `is_shared`: the place is that of several callers, so others there are tried for some
  /// time yet; `is_new`: no run did before. Gives true if the target is settled by that.
  bool settle_defect(std::uint64_t target, bool is_shared, bool is_new);
  /// The solver had no answer: others of the target are likely to be as hard.
  void was_hard(const Candidate& candidate) {
    if (candidate.is_defect()) defects_.was_hard(candidate.target);
  }
  /// A run that was to show a defect came into another object, and showed none: asked for once more without that one.
  void ask_elsewhere(const Candidate& candidate, std::shared_ptr<const Origin> run);
  void retry_later(Candidate candidate) { retries_.push_back(std::move(candidate)); }
  /// Forgets what is known but for refutations: everything can be found again.
  void restart();

  /// By EdgeId: a candidate that leads there waits.
  std::vector<bool> open_edges() const;
  /// By EdgeId: no input takes it on one of the paths that lead to its condition.
  const std::vector<bool>& refuted_edges() const noexcept { return refuted_edges_; }

  std::size_t pending() const noexcept { return table_.size() + retries_.size() + escapes_.size(); }
  bool has_dropped() const noexcept { return has_dropped_; }

 private:
  struct Violations {
    std::deque<CandidateId> waiting;
    std::uint32_t attempts = 0;
    bool is_settled = false;
  };

  /// A node at which runs may go to any number of places, by the key of its candidates.
  struct Fork {
    absl::flat_hash_set<std::uint32_t> taken;
    std::vector<std::shared_ptr<const Origin>> runs;  ///< one for each
    bool is_waiting = false;
  };

  bool is_new(const Candidate& candidate);
  std::optional<Candidate> take_defect(std::uint32_t max_attempts);
  bool is_worth(const Candidate& candidate) const;
  void fill_siblings(Candidate& candidate);
  std::optional<Candidate> remove(CandidateId id);
  void make_room();

  const Subject& subject_;
  std::span<const std::uint8_t> covered_;
  SearchLimits limits_;
  std::vector<bool> is_counted_;  ///< by EdgeId
  Distances distances_;
  std::unique_ptr<SearchStrategy> strategy_;
  bool is_depth_first_;
  CandidateTable table_;
  CandidateId next_id_ = 0;
  std::size_t added_since_compaction_ = 0;
  absl::flat_hash_set<std::uint64_t> known_;    ///< keys
  absl::flat_hash_set<std::uint64_t> refuted_;  ///< keys
  std::vector<bool> refuted_edges_;
  absl::flat_hash_map<std::uint64_t, Violations> violations_;  ///< by target
  std::vector<std::uint64_t> violation_order_;                 ///< targets, as they were found
  DefectQueue defects_;
  std::deque<Candidate> escapes_;
  absl::flat_hash_map<std::uint64_t, Fork> forks_;
  std::deque<Candidate> retries_;
  std::uint32_t turn_ = 0;
  std::uint32_t defect_turn_ = 0;
  bool has_dropped_ = false;
};

}  // namespace plumb::concolic
