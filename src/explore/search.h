#pragma once

#include <absl/container/flat_hash_map.h>

#include <chrono>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "explore/discipline.h"
#include "explore/dominance.h"
#include "explore/explore.h"
#include "explore/merge.h"
#include "explore/subsumption.h"

namespace plumb::explore {

/// The states that are known, and how each was come to.
class StateGraph {
 public:
  using Id = std::uint32_t;

  /// What leads from a state to the next.
  struct Step {
    std::uint32_t thread = 0;
    Choices::Script script{};
    std::vector<Choices::Script> merged{};  ///< other ways that lead to the same state, made before it (merge.h)
    bool is_rest = false;                   ///< of a step that was cut: nobody else can see it
  };
  struct Added {
    Id id = 0;
    bool is_new = false;
  };
  Added add(const State& state, Id parent, const Step& step);
  const State& state(Id id) const { return nodes_[id].state; }
  Id parent(Id id) const { return nodes_[id].parent; }
  Step step(Id id) const {
    const Scripts& scripts = scripts_[nodes_[id].via >> kThreadBits];
    return {nodes_[id].via & kThreadMask, scripts.first, scripts.second, (nodes_[id].via & kIsRest) != 0};
  }
  std::uint64_t size() const noexcept { return nodes_.size(); }
  std::uint64_t bytes() const noexcept { return nodes_.size() * sizeof(Node) + index_.bytes(); }

 private:
  static constexpr std::uint32_t kThreadBits = 8;
  static constexpr std::uint32_t kIsRest = 1U << (kThreadBits - 1);
  static constexpr std::uint32_t kThreadMask = kIsRest - 1;
  struct Node {
    State state;
    Id parent = 0;
    std::uint32_t via = 0;  ///< the thread, and above it the number of the script
  };
  std::vector<Node> nodes_;
  HashIndex index_;
  using Scripts = std::pair<Choices::Script, std::vector<Choices::Script>>;
  std::vector<Scripts> scripts_ = std::vector<Scripts>(1);
  absl::flat_hash_map<Scripts, std::uint32_t> script_ids_{{{}, 0}};
};

/// What makes two accesses meet that threads make next.
struct Meeting {
  std::uint32_t thread = 0;      ///< of the second
  std::uint64_t operations = 0;  ///< that it makes up to its access
  std::vector<Term> also;        ///< holds of the inputs, beside what the first one's step needs
};

/// One exploration.
class Search {
 public:
  Search(const Program& program, std::span<const Goal> goals, const Options& options, const Budget& budget,
         const std::function<void(std::size_t goal, const GoalResult& answer)>& on_answer);

  Outcome run();

 private:
  using Id = StateGraph::Id;

  /// Until nothing is left, or what is hidden from others should not have been.
  void explore_all();
  void begin_again();
  bool is_misguided() const noexcept {
    return begins_again_ || discipline_.is_broken() || dominance_.is_broken() || symmetry_.is_broken();
  }
  void expand(Id id);
  /// Of threads that the state does not tell apart one is enough. Ways of the others are the same, if they are asked
  /// for.
  void drop_alike(std::vector<std::uint32_t>& able, std::vector<std::pair<std::uint32_t, std::uint32_t>>& dropped);
  /// What the first thread's joins say about that.
  void look_at_joins(Id id);
  /// All ways of one step.
  struct Way {
    Choices::Script script;
    std::vector<Touch> touches;
    std::vector<Term> constraints;
    std::vector<Choices::Input> inputs;
    bool has_learnt = false;
  };
  struct Ways {
    std::uint32_t thread = 0;
    bool can_go = false;    ///< in some way
    std::vector<Way> ways;  ///< those that go on
  };
  Ways take(Id id, std::uint32_t thread, bool is_rest = false);
  StepEnd make(const StateGraph::Step& step);
  /// The states behind the ways of a step, one for those that meet.
  void reach_merged(Id id, std::uint32_t thread, bool is_rest, std::vector<WayOut> ways);
  /// Begins again with states merged, or without that, where it is time to.
  void look_otherwise();
  std::uint64_t effort() const;
  /// Without a parent: an initial state.
  void reach(const State& state, std::optional<Id> parent, const StateGraph::Step& step);
  void violated(FaultKind kind, CodePoint at, std::optional<Id> id, const StateGraph::Step& step);
  /// The run to the state and, if it is not null, the step violates the goal; without a state the step is the first.
  /// `race`: what happens there as well.
  void close(std::size_t goal, std::optional<Id> id, const StateGraph::Step* step, const Meeting* race = nullptr);
  void find_races(Id id, const std::vector<Ways>& all);
  /// That the accesses of two ways meet, if they can.
  std::optional<Meeting> meeting(const Way& a, const Touch& first, const Way& b, const Touch& second);
  bool has_open() const { return open_ > 0; }
  /// Of the search so far.
  void count();
  void show_progress();

  std::span<const Goal> goals_;
  const Options& options_;
  const Budget& budget_;
  const std::function<void(std::size_t goal, const GoalResult& answer)>& on_answer_;

  TermStore terms_;
  World world_;
  Store store_;
  Choices choices_;
  Discipline discipline_;
  Dominance dominance_;
  const Slice slice_;
  Symmetry symmetry_;
  Machine machine_;
  Subsumption subsumption_;
  StateGraph graph_;
  absl::flat_hash_map<TreeStore::Id, std::vector<std::uint32_t>> data_of_;  ///< by control: of states with terms
  Payload payload_;
  /// States that differ in payload are kept apart first, which keeps numbers numbers. Where these are many, they are
  /// merged for twice as long, and if that is no end either, kept apart for good.
  enum class Look : std::uint8_t { Apart, Merged, ApartForGood };
  Look look_ = Look::Apart;
  /// What reach() was told of.
  struct Met {
    bool known = false;  ///< a state that is not new
    bool fresh = false;
  };
  Met met_;
  bool begins_again_ = false;
  std::uint64_t branchings_ = 0;    ///< steps that have several ways
  std::uint64_t merged_until_ = 0;  ///< effort
  Fronts fronts_;
  absl::flat_hash_map<std::uint32_t, Machine::JoinsAhead> joins_;  ///< by part of the first thread
  std::vector<bool> is_covered_;                                   ///< by state: a larger one is known
  std::vector<std::uint64_t> data_;
  std::deque<Id> frontier_;
  std::vector<std::uint32_t> depths_;
  absl::flat_hash_map<std::pair<FunctionId, InstructionId>, std::vector<std::size_t>> goals_at_;
  absl::flat_hash_map<std::pair<FunctionId, InstructionId>, std::vector<std::size_t>> decided_at_;
  std::vector<std::vector<bool>> places_;
  std::vector<bool> is_decided_;  ///< by goal: some run comes to where it is
  std::vector<bool> is_open_;
  std::size_t open_ = 0;
  bool looks_for_races_ = false;
  std::vector<CodePoint> leaks_;  ///< of the run that has just ended
  std::vector<result::Gap> gaps_;
  std::set<std::string> assumptions_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_progress_ = started_;
  Outcome outcome_;
};

}  // namespace plumb::explore
