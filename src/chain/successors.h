#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "base/value/state_store.h"
#include "chain/composition.h"
#include "chain/local_table.h"
#include "chain/machine.h"
#include "chain/model.h"
#include "chain/weight_table.h"

namespace plumb::chain {

/// The ways on from some states, as they come from the successor function: states are not numbered yet.
struct SuccessorBlock {
  GrowingArray<std::uint32_t> row_counts;  ///< by state; 0 is a deadlock
  GrowingArray<SuccessorRow> rows;
  GrowingArray<std::uint32_t> weights;  ///< by transition: number in the weight table
  GrowingArray<std::uint64_t> targets;  ///< packed, by transition
  GrowingArray<Value> rewards;          ///< by row: one for each structure that rewards actions
  /// States of a dtmc with several commands enabled, which get equal parts: how many, and the first, by its place in
  /// row_counts.
  std::uint64_t overlaps = 0;
  std::uint64_t first_overlap = 0;
  /// What went wrong in the state behind the last of row_counts.
  std::exception_ptr error;

  void clear();
};

/// The model's transition function, compiled: guards are ranges of variables and, for the rest, flat code; assignments
/// are constants, sums with a constant, or code. Moves that depend on few variables are put into groups, and what a
/// group does is kept by the values of those (LocalTable); the value of one variable, such as a program counter, tells
/// which groups there are to ask. May be used by several threads, with a Scratch each. The model must live as long.
class Successors {
 public:
  /// With `keeps_commands_apart` every command of a dtmc or ctmc has a row of its own, as those of an mdp have.
  Successors(const Model& model, const StateLayout& layout, bool keeps_commands_apart = false);

  struct Scratch {
    explicit Scratch(WeightTable& table) : weights(table) {}

    Machine::Frame frame;
    bool is_loaded = false;  ///< the frame has the values of the state
    struct Evaluated {       ///< an alternative of an enabled command
      Value weight;
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
    std::vector<Value> action_rewards;
    std::vector<std::size_t> counter;        ///< by participant: which of its enabled commands
    std::vector<std::uint32_t> alternative;  ///< by participant: which of the command's alternatives
    struct Rows {                            ///< what a group of moves does in the state
      std::vector<SuccessorRow> rows;
      std::vector<std::uint32_t> weights;
      std::vector<std::uint64_t> targets;
      std::vector<Value> rewards;
      void clear();
    } computed;
    std::vector<LocalTable> tables;  ///< by group
    std::vector<Value> reward_sums;
    WeightTable::Reader weights;
  };
  /// For one thread.
  std::unique_ptr<Scratch> scratch(WeightTable& weights) const;

  /// Adds the rows of a state to the block. Throws UserError that names the command, the state and the values; the
  /// block is then as it was.
  void expand(const std::uint64_t* state, Scratch& scratch, SuccessorBlock& block) const;

  Value state_reward(const std::uint64_t* state, std::size_t structure, Scratch& scratch) const;
  /// What the weights and rewards are numbers of.
  const Reals& reals() const noexcept { return reals_; }
  bool has_state_rewards(std::size_t structure) const noexcept { return !rewards_[structure].states.empty(); }
  /// The reward structures that SuccessorBlock::rewards is about.
  const std::vector<std::size_t>& action_structures() const noexcept { return action_structures_; }

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
    Value weight{};
    bool is_constant = false;
    Machine::Handle code = 0;
    std::uint32_t first = 0;  ///< into assignments_
    std::uint32_t last = 0;
  };
  struct Rest {  ///< a condition of a guard that is no range
    Machine::Handle code = 0;
    std::vector<std::uint32_t> support;
  };
  struct CompiledCommand {
    const Command* source;
    std::uint32_t first_range = 0;  ///< into ranges_
    std::uint32_t last_range = 0;
    std::uint32_t first_rest = 0;  ///< into rests_
    std::uint32_t last_rest = 0;
    std::uint32_t first = 0;  ///< into alternatives_
    std::uint32_t last = 0;
    bool is_sum_checked = false;
  };
  /// One command of each participant of a synchronisation; all of its combinations at once where they are many.
  struct Move {
    Action action = 0;
    std::vector<std::vector<std::uint32_t>> participants;  ///< commands of each
    bool is_single() const noexcept {
      for (const std::vector<std::uint32_t>& commands : participants)
        if (commands.size() != 1) return false;
      return true;
    }
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
  /// Values of one variable, as offsets from its least, for which a move can be enabled at all.
  struct Allowed {
    StateLayout::Field field;
    std::vector<std::uint64_t> bits;
    bool contains(const std::uint64_t* state) const noexcept {
      const std::uint64_t value = state[field.word] >> field.shift & field.mask;
      return (bits[value >> 6] >> (value & 63) & 1) != 0;
    }
  };
  struct Group {
    std::vector<std::uint32_t> moves;
    std::vector<Allowed> filter;  ///< all of them must contain the state
    /// Of one move whose guard depends on much and whose effect does not: what of the guard is not in the filter. The
    /// table is by the variables of the effect then.
    bool has_guard = false;
    std::vector<std::uint32_t> ranges;
    std::vector<std::pair<std::uint32_t, const Command*>> rests;
    std::vector<LocalTable::WordMask> masks;
  };

  // Compiling.
  void compile_command(const Command& command);
  void compile_guard(Expression guard, CompiledCommand& into);
  /// Adds the condition to ranges_ if it is one.
  bool add_range(Expression condition);
  CompiledAssignment compile_assignment(const Assignment& assignment);
  void compile_rewards();
  RewardCode compile_reward(const RewardItem& item);

  // Which moves to ask together, and where.
  class Grouping;
  void add_moves(Move all);
  std::vector<bool> guard_support(const Move& move) const;
  std::vector<bool> effect_support(const Move& move) const;
  std::vector<bool> allowed_values(const Move& move, std::uint32_t variable) const;
  void restrict_to_guard(const CompiledCommand& command, std::uint32_t variable, Machine::Frame& frame,
                         std::vector<bool>& values) const;
  void choose_groups();

  void load(const std::uint64_t* state, Scratch& scratch) const;
  bool is_enabled(const CompiledCommand& command, Scratch& scratch) const;
  bool is_in(const Range& range, const Scratch& scratch) const noexcept {
    const std::int64_t value = scratch.frame.slots[range.variable].integer;
    return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(range.low) <= range.span;
  }
  bool holds(const Rest& rest, const Command& command, Scratch& scratch) const;
  bool guard_holds(const std::uint64_t* state, const Group& group, Scratch& scratch) const;
  /// The alternatives of an enabled command, behind those in the scratch.
  Scratch::Enabled evaluate(std::uint32_t command, Scratch& scratch) const;
  Value evaluate_weight(const CompiledAlternative& alternative, const Command& command, Scratch& scratch) const;
  std::int64_t new_value(const CompiledAssignment& assignment, Scratch& scratch) const;
  /// Into Scratch::computed.
  void compute(const std::uint64_t* state, const Group& group, Scratch& scratch) const;
  void compute_move(const std::uint64_t* state, const Move& move, bool is_known_enabled, Scratch& scratch) const;
  /// One choice: the product of the alternatives of one command a participant, those that Scratch::counter picks.
  void compute_choice(const std::uint64_t* state, std::size_t participants, Scratch& scratch) const;
  /// Of all groups; the number of rows.
  std::uint32_t ask_groups(const std::uint64_t* state, Scratch& scratch, SuccessorBlock& block) const;
  void divide(std::uint32_t choices, std::size_t first, Scratch& scratch, SuccessorBlock& block) const;
  /// Throws unless the weights of alternatives of the command, which sum to this, are probabilities.
  void check_sum(const Command& command, Value sum, const Scratch* scratch) const;
  bool is_weight(Value value) const;
  std::string text_of(Value value) const;
  Value reward(const std::vector<RewardCode>& items, Action action, Scratch& scratch) const;
  [[noreturn]] void fail(const SourceLocation& location, const std::string& what, const Scratch& scratch) const;

  const Model& model_;
  Reals reals_;
  StateLayout layout_;
  bool has_choices_;  ///< a state may have several rows
  Machine machine_;
  std::vector<Range> ranges_;
  std::vector<Rest> rests_;
  std::vector<CompiledAssignment> assignments_;
  std::vector<CompiledAlternative> alternatives_;
  std::vector<CompiledCommand> commands_;
  std::vector<Move> moves_;
  std::vector<CompiledRewards> rewards_;
  std::vector<std::size_t> action_structures_;
  std::size_t max_participants_ = 1;
  std::vector<Group> groups_;
  StateLayout::Field selector_;                       ///< mask zero: none
  std::vector<std::vector<std::uint32_t>> selected_;  ///< groups by the selector's value
};

/// "(x=3,busy=true)".
std::string describe_values(const Model& model, const StateLayout& layout, const std::uint64_t* state);

}  // namespace plumb::chain
