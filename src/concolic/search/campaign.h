#pragma once

#include <absl/container/flat_hash_set.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "concolic/search/cost_model.h"
#include "concolic/search/search.h"
#include "concolic/search/search_tree.h"
#include "concolic/search/target.h"

namespace plumb::concolic {

/// One thing to do for a worker.
struct Job {
  enum class Kind : std::uint8_t {
    Start,   ///< run `inputs`
    Extend,  ///< run the inputs of `origin` again, to a greater depth
    Solve,   ///< ask for `candidate`, and run what comes out
  };
  Kind kind = Kind::Start;
  TreeId tree = TreeId::Regions;
  std::vector<result::TestInput> inputs;
  std::uint64_t random_seed = 0;  ///< of a Start
  std::uint64_t earlier = 0;      ///< of a Start: the number of the run of an earlier session that it repeats
  std::shared_ptr<const Origin> origin;
  Candidate candidate;
};

/// A run as a worker tells of it.
struct RunNews {
  const TargetRun& run;
  const std::shared_ptr<Origin>& origin;      ///< gets its number and its new edges
  std::span<const result::TestInput> inputs;  ///< that it read; those that it was given if it cannot tell
  const Candidate* candidate = nullptr;
  bool is_divergence = false;
  std::uint64_t earlier = 0;   ///< number of the run of an earlier session that it repeats
  std::uint64_t replaces = 0;  ///< number of the run that it makes longer
};

struct QueryNews {
  const Candidate& candidate;
  solve::Answer answer = solve::Answer::Unknown;
  double seconds = 0;
  std::span<const RegionCount> regions;
};

/// What the workers share: coverage, tests and errors, the candidates, the cost model, and the decision to stop. All
/// members may be called from any thread; the listener is called with the lock held, one call at a time.
class Campaign {
 public:
  Campaign(const Subject& subject, const SearchOptions& options, const SearchListener& listener, const Budget& budget,
           const SearchLimits& limits, const EarlierSessions& earlier);

  /// Waits while other workers may still find something; nothing when the campaign is over. done() follows each job.
  std::optional<Job> take();
  void done();
  /// Of a worker that cannot go on.
  void give_up(const std::string& problem);

  std::shared_ptr<const Modes> modes(TreeId tree) const;
  std::uint32_t depth(TreeId tree) const;
  /// By EdgeId.
  std::vector<std::uint8_t> covered() const;
  /// The time that a query for the candidate may take.
  std::chrono::duration<double> query_time(const Candidate& candidate) const;

  void ran(const RunNews& news);
  void found(Enumeration enumeration, TreeId tree);
  void answered(const QueryNews& news);
  /// The run of an origin again, which should have come to the candidate.
  void reran(TreeId tree, double seconds, bool is_divergence);
  void instantiated(std::uint32_t region, std::uint64_t visits, std::uint64_t terms);

  SearchReport report();

 private:
  void restore(const EarlierSessions& earlier);
  SearchStart first_start() const;
  std::optional<Job> next();
  std::optional<Job> next(SearchTree& tree);
  std::optional<Job> next_defect();
  std::optional<Job> next_start(SearchTree& tree);
  bool deepen(SearchTree& tree);
  SearchTree& tree(TreeId id) { return id == TreeId::Paths ? *paths_tree_ : regions_tree_; }
  const SearchTree& tree(TreeId id) const { return id == TreeId::Paths ? *paths_tree_ : regions_tree_; }
  std::vector<SearchTree*> trees();
  bool may_search_paths() const;
  void start_paths_if_due();
  void share_test(const RunNews& news);
  bool start_final_round();
  void stop(SearchReport::Stop why);
  bool is_exhaustive() const;
  bool covers_all() const { return report_.edges_covered == report_.edges_total; }
  bool wants_further_runs() const;
  std::vector<EdgeId> merge_coverage(const TargetRun& run);
  void count(const RunNews& news);
  void tell_path(const RunNews& news, bool is_new_path);
  /// `errors`: places in report_.errors.
  void keep_test(const RunNews& news, std::vector<EdgeId> new_edges, std::span<const std::size_t> errors);
  std::vector<std::size_t> note_errors(const RunNews& news);
  std::optional<std::size_t> note_error(const RunNews& news, FoundError error);
  std::optional<std::size_t> note_defect(const RunNews& news, const SeenDefect& defect, bool is_after_another);
  bool is_shared_place(const SeenDefect& defect) const;
  void leave_region(const RunNews& news);
  void note_candidate(const RunNews& news, bool is_new);
  void note_uncounted(const RunNews& news);
  void keep_cut_run(const RunNews& news);
  void tell_progress();
  void tell_flaws();
  bool has_switched() const { return had_switched_ || cost_model_.switched() != 0; }
  SearchState state() const;
  result::StoredBranch::State state_of(EdgeId edge, bool is_open, bool is_reached) const;
  double seconds() const;

  const Subject& subject_;
  const SearchOptions& options_;
  const SearchListener& listener_;
  const Budget& budget_;
  SearchLimits limits_;
  Budget::Clock::time_point start_ = Budget::Clock::now();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  SearchReport report_;
  std::vector<bool> is_counted_;  ///< by EdgeId
  CostModel cost_model_;
  SearchTree regions_tree_;                  ///< decides whether all was explored
  std::unique_ptr<SearchTree> paths_tree_;   ///< null until it is due
  std::shared_ptr<const Modes> path_modes_;  ///< of the runs of paths_tree_
  Shares shares_;
  std::vector<SearchStart> new_tests_;  ///< inputs that covered something new, for a tree that is not yet there
  absl::flat_hash_set<std::uint64_t> paths_;
  std::uint32_t max_depth_ = 0;
  std::uint64_t last_news_ = 0;     ///< run that covered an edge or showed an error first; 0: none of this session
  bool checks_memory_ = false;      ///< whether there are defects that depend on more than the branches covered
  std::uint64_t open_queries_ = 0;  ///< without an answer in all the time they may take
  std::vector<bool> timed_out_;     ///< by EdgeId: a query for it had no answer, and none since
  std::uint64_t diverged_ = 0;      ///< runs of regions_tree_
  bool has_lost_ = false;           ///< precision, likewise
  std::uint32_t last_test_ = 0;     ///< number
  unsigned busy_ = 0;
  bool is_over_ = false;
  bool is_final_round_ = false;
  bool had_switched_ = false;   ///< regions, in an earlier session
  bool is_bounded_ = false;     ///< a bound left something out
  bool is_incomplete_ = false;  ///< a run did not tell all
  Budget::Clock::time_point last_progress_{};
  Budget::Clock::time_point last_state_ = start_;
  std::uint32_t told_flaws_ = 0;
};

/// The program failed; a run that the tool ended for another reason did not.
bool is_error(RunEnd end);
/// The run took the way that the candidate asked for.
bool follows(const TargetRun& run, const Candidate& candidate);
/// The run was to show a defect and came to the check of another object instead, where all is well.
bool is_elsewhere(const TargetRun& run, const Candidate& candidate);

}  // namespace plumb::concolic
