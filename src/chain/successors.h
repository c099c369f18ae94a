#pragma once

#include <cstdint>
#include <exception>
#include <vector>

#include "chain/composition.h"
#include "chain/machine.h"
#include "chain/model.h"
#include "chain/state_store.h"

namespace plumb::chain {

/// The ways on from some states, as they come from the successor function: states are not numbered yet.
struct SuccessorBlock {
  struct Transition {
    double weight;
    std::uint64_t hash;
  };
  struct Row {
    Action action = 0;
    std::uint32_t transitions = 0;
  };
  std::vector<std::uint32_t> row_counts;  ///< by state; 0 is a deadlock
  std::vector<Row> rows;
  std::vector<Transition> transitions;
  std::vector<std::uint64_t> targets;  ///< packed, by transition
  std::vector<double> rewards;         ///< by row: one for each reward structure
  /// States of a dtmc with several commands enabled, which get equal parts: how many, and the first, by its place in
  /// row_counts.
  std::uint64_t overlaps = 0;
  std::uint64_t first_overlap = 0;
  /// What went wrong in the state behind the last of row_counts.
  std::exception_ptr error;

  void clear();
};

/// The model's transition function, compiled: guards are ranges of variables and, for the rest, flat code; assignments
/// are constants, sums with a constant, or code. May be used by several threads, with a Scratch each.
class Successors {
 public:
  Successors(const Model& model, const StateLayout& layout);

  struct Scratch {
    Machine::Frame frame;
    struct Evaluated {  ///< an alternative of an enabled command
      double weight;
      std::uint32_t first;  ///< into values
      std::uint32_t last;
    };
    struct Enabled {
      std::uint32_t command;
      std::uint32_t first;  ///< into evaluated
      std::uint32_t last;
    };
    std::vector<Evaluated> evaluated;
    std::vector<std::pair<std::uint32_t, std::int64_t>> values;  ///< variable, new value
    std::vector<std::vector<Enabled>> enabled;                   ///< by participant
    std::vector<std::uint64_t> target;
    std::vector<double> action_rewards;
    std::vector<std::size_t> counter;        ///< by participant: which of its enabled commands
    std::vector<std::uint32_t> alternative;  ///< by participant: which of the command's alternatives
  };
  Scratch scratch() const;

  /// Adds the rows of a state to the block. Throws UserError that names the command, the state and the values.
  void expand(const std::uint64_t* state, Scratch& scratch, SuccessorBlock& block) const;

  /// Values of expressions over one state, for labels and rewards. Compiled at construction: those of the model.
  std::size_t reward_structures() const noexcept { return rewards_.size(); }
  double state_reward(const std::uint64_t* state, std::size_t structure, Scratch& scratch) const;
  bool has_state_rewards(std::size_t structure) const noexcept { return !rewards_[structure].states.empty(); }

 private:
  struct Range {
    std::uint32_t variable;
    std::int64_t low;
    std::uint64_t span;
  };
  struct CompiledAssignment {
    enum class Kind : std::uint8_t { Constant, Offset, Code };
    Kind kind;
    std::uint32_t variable;
    std::uint32_t source = 0;  ///< Offset: the variable that it adds to
    std::int64_t constant = 0;
    Machine::Handle code = 0;
    const Assignment* assignment;
  };
  struct CompiledAlternative {
    double weight = 0;
    bool is_constant = false;
    Machine::Handle code = 0;
    std::uint32_t first = 0;  ///< into assignments_
    std::uint32_t last = 0;
  };
  struct CompiledCommand {
    const Command* source;
    std::uint32_t first_range = 0;  ///< into ranges_
    std::uint32_t last_range = 0;
    std::uint32_t first_rest = 0;  ///< into rests_: conditions of the guard that are no ranges
    std::uint32_t last_rest = 0;
    std::uint32_t first = 0;  ///< into alternatives_
    std::uint32_t last = 0;
    bool is_sum_checked = false;
  };
  struct Move {
    Action action;
    std::vector<std::vector<std::uint32_t>> participants;  ///< commands of each
  };
  struct RewardCode {
    Machine::Handle guard;
    Machine::Handle value;
    Action action;
    const RewardItem* item;
  };
  struct CompiledRewards {
    std::vector<RewardCode> states;
    std::vector<RewardCode> actions;
  };

  void compile_command(const Command& command);
  void compile_guard(Expression guard, CompiledCommand& into);
  /// Adds the condition to ranges_ if it is one.
  bool add_range(Expression condition);
  CompiledAssignment compile_assignment(const Assignment& assignment);
  void compile_rewards();
  RewardCode compile_reward(const RewardItem& item);

  void load(const std::uint64_t* state, Scratch& scratch) const;
  bool is_enabled(const CompiledCommand& command, Scratch& scratch) const;
  /// The alternatives of an enabled command, behind those in the scratch.
  Scratch::Enabled evaluate(std::uint32_t command, Scratch& scratch) const;
  double evaluate_weight(const CompiledAlternative& alternative, const Command& command, Scratch& scratch) const;
  void expand_move(const std::uint64_t* state, const Move& move, Scratch& scratch, SuccessorBlock& block) const;
  /// One choice: the product of the alternatives of one command a participant, those that Scratch::counter picks.
  void emit_choice(const std::uint64_t* state, std::size_t participants, Scratch& scratch, SuccessorBlock& block) const;
  double reward(const std::vector<RewardCode>& items, Action action, Scratch& scratch) const;
  [[noreturn]] void fail(const SourceLocation& location, const std::string& what, const Scratch& scratch) const;

  const Model& model_;
  const StateLayout& layout_;
  Machine machine_;
  std::vector<Range> ranges_;
  std::vector<Machine::Handle> rests_;
  std::vector<CompiledAssignment> assignments_;
  std::vector<CompiledAlternative> alternatives_;
  std::vector<CompiledCommand> commands_;
  std::vector<Move> moves_;
  std::vector<CompiledRewards> rewards_;
  std::size_t max_participants_ = 1;
};

/// "(x=3,busy=true)".
std::string describe_values(const Model& model, const StateLayout& layout, const std::uint64_t* state);

}  // namespace plumb::chain
