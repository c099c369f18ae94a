#include "chain/successors.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"

namespace plumb::chain {
namespace {

/// How far the sum of so many probabilities may be from one.
double tolerance(std::size_t count) { return 1e-12 * static_cast<double>(count + 1); }

}  // namespace

void SuccessorBlock::clear() {
  row_counts.clear();
  rows.clear();
  transitions.clear();
  targets.clear();
  rewards.clear();
  overlaps = 0;
  error = nullptr;
}

Successors::Scratch Successors::scratch() const {
  Scratch scratch;
  scratch.frame = machine_.frame();
  scratch.enabled.resize(max_participants_);
  scratch.counter.resize(max_participants_);
  scratch.alternative.resize(max_participants_);
  scratch.target.resize(layout_.words());
  scratch.action_rewards.resize(rewards_.size());
  return scratch;
}

void Successors::load(const std::uint64_t* state, Scratch& scratch) const {
  const std::span<const Field> fields = layout_.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) scratch.frame.slots[i].integer = layout_.get(state, i);
  scratch.frame.fault = Fault::None;
}

void Successors::fail(const SourceLocation& location, const std::string& what, const Scratch& scratch) const {
  std::vector<std::uint64_t> state(layout_.words());
  for (std::size_t i = 0; i < model_.variables.size(); ++i)
    layout_.set(state.data(), i, scratch.frame.slots[i].integer);
  throw UserError(location, fmt::format("{} in state {}", what, describe_values(model_, layout_, state.data())));
}

bool Successors::is_enabled(const CompiledCommand& command, Scratch& scratch) const {
  for (std::uint32_t i = command.first_range; i < command.last_range; ++i) {
    const Range& range = ranges_[i];
    const std::int64_t value = scratch.frame.slots[range.variable].integer;
    if (static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(range.low) > range.span) return false;
  }
  for (std::uint32_t i = command.first_rest; i < command.last_rest; ++i) {
    const bool holds = machine_.run(rests_[i], scratch.frame).integer != 0;
    if (scratch.frame.fault != Fault::None)
      fail(command.source->location, fmt::format("the guard of this command has {}", to_string(scratch.frame.fault)),
           scratch);
    if (!holds) return false;
  }
  return true;
}

double Successors::evaluate_weight(const CompiledAlternative& alternative, const Command& command,
                                   Scratch& scratch) const {
  if (alternative.is_constant) return alternative.weight;
  const double weight = machine_.run(alternative.code, scratch.frame).real;
  const char* what = model_.kind == Kind::Ctmc ? "rate" : "probability";
  if (scratch.frame.fault != Fault::None)
    fail(command.location, fmt::format("a {} of this command has {}", what, to_string(scratch.frame.fault)), scratch);
  if (!(weight >= 0) || std::isinf(weight))
    fail(command.location, fmt::format("a {} of this command is {}", what, weight), scratch);
  return weight;
}

Successors::Scratch::Enabled Successors::evaluate(std::uint32_t index, Scratch& scratch) const {
  const CompiledCommand& command = commands_[index];
  Scratch::Enabled enabled{index, static_cast<std::uint32_t>(scratch.evaluated.size()), 0};
  double sum = 0;
  for (std::uint32_t i = command.first; i < command.last; ++i) {
    const CompiledAlternative& alternative = alternatives_[i];
    const double weight = evaluate_weight(alternative, *command.source, scratch);
    sum += weight;
    if (weight == 0) continue;
    const auto first = static_cast<std::uint32_t>(scratch.values.size());
    for (std::uint32_t k = alternative.first; k < alternative.last; ++k) {
      const CompiledAssignment& assignment = assignments_[k];
      std::int64_t value = assignment.constant;
      if (assignment.kind == CompiledAssignment::Kind::Offset)
        value += scratch.frame.slots[assignment.source].integer;
      else if (assignment.kind == CompiledAssignment::Kind::Code)
        value = machine_.run(assignment.code, scratch.frame).integer;
      const Variable& variable = model_.variables[assignment.variable];
      if (scratch.frame.fault != Fault::None)
        fail(assignment.assignment->location,
             fmt::format("the new value of {} has {}", variable.name, to_string(scratch.frame.fault)), scratch);
      if (value < variable.low || value > variable.high)
        fail(assignment.assignment->location,
             fmt::format("{} would become {}, which is outside of [{}..{}],", variable.name, value, variable.low,
                         variable.high),
             scratch);
      scratch.values.emplace_back(assignment.variable, value);
    }
    scratch.evaluated.push_back({weight, first, static_cast<std::uint32_t>(scratch.values.size())});
  }
  enabled.last = static_cast<std::uint32_t>(scratch.evaluated.size());
  if (!command.is_sum_checked && std::abs(sum - 1) > tolerance(command.last - command.first))
    fail(command.source->location, fmt::format("the probabilities of this command sum to {}", sum), scratch);
  return enabled;
}

void Successors::expand(const std::uint64_t* state, Scratch& scratch, SuccessorBlock& block) const {
  load(state, scratch);
  const std::size_t first_row = block.rows.size();
  const std::size_t first_transition = block.transitions.size();
  const std::size_t first_target = block.targets.size();
  const std::size_t first_reward = block.rewards.size();
  std::uint32_t choices = 0;
  try {
    for (const Move& move : moves_) {
      const std::size_t before = block.rows.size();
      expand_move(state, move, scratch, block);
      choices += static_cast<std::uint32_t>(block.rows.size() - before);
    }
  } catch (...) {
    block.rows.resize(first_row);
    block.transitions.resize(first_transition);
    block.targets.resize(first_target);
    block.rewards.resize(first_reward);
    throw;
  }
  if (model_.kind == Kind::Mdp || choices <= 1) {
    block.row_counts.push_back(choices);
    return;
  }
  // Of the other kinds a state has one row: rates add up, and each of several commands of a dtmc has the same part.
  if (model_.kind == Kind::Dtmc && block.overlaps++ == 0) block.first_overlap = block.row_counts.size();
  block.row_counts.push_back(1);
  const double part = model_.kind == Kind::Dtmc ? 1.0 / choices : 1.0;
  const auto count = static_cast<std::uint32_t>(block.transitions.size() - first_transition);
  for (std::size_t i = first_transition; i < block.transitions.size(); ++i) block.transitions[i].weight *= part;
  for (std::size_t k = 0; k < rewards_.size(); ++k) {
    double sum = 0;
    for (std::uint32_t row = 0; row < choices; ++row) sum += block.rewards[first_reward + row * rewards_.size() + k];
    block.rewards[first_reward + k] = sum * part;
  }
  block.rewards.resize(first_reward + rewards_.size());
  block.rows.resize(first_row + 1);
  block.rows.back() = {0, count};
}

void Successors::expand_move(const std::uint64_t* state, const Move& move, Scratch& scratch,
                             SuccessorBlock& block) const {
  const std::size_t participants = move.participants.size();
  scratch.evaluated.clear();
  scratch.values.clear();
  for (std::size_t i = 0; i < participants; ++i) {
    scratch.enabled[i].clear();
    for (const std::uint32_t command : move.participants[i])
      if (is_enabled(commands_[command], scratch)) scratch.enabled[i].push_back(evaluate(command, scratch));
    if (scratch.enabled[i].empty()) return;
  }
  for (std::size_t k = 0; k < rewards_.size(); ++k)
    scratch.action_rewards[k] = reward(rewards_[k].actions, move.action, scratch);
  std::fill_n(scratch.counter.begin(), participants, 0);
  while (true) {
    const std::size_t before = block.transitions.size();
    emit_choice(state, participants, scratch, block);
    const auto count = static_cast<std::uint32_t>(block.transitions.size() - before);
    if (count > 0) {
      block.rows.push_back({move.action, count});
      double weight = 1;
      if (model_.kind == Kind::Ctmc) {
        weight = 0;
        for (std::size_t i = before; i < block.transitions.size(); ++i) weight += block.transitions[i].weight;
      }
      for (const double value : scratch.action_rewards) block.rewards.push_back(value * weight);
    }
    std::size_t digit = 0;
    while (digit < participants && ++scratch.counter[digit] == scratch.enabled[digit].size())
      scratch.counter[digit++] = 0;
    if (digit == participants) return;
  }
}

void Successors::emit_choice(const std::uint64_t* state, std::size_t participants, Scratch& scratch,
                             SuccessorBlock& block) const {
  const auto chosen = [&](std::size_t i) -> const Scratch::Enabled& { return scratch.enabled[i][scratch.counter[i]]; };
  for (std::size_t i = 0; i < participants; ++i) {
    scratch.alternative[i] = chosen(i).first;
    if (chosen(i).first == chosen(i).last) return;  // all its weights are zero
  }
  while (true) {
    const std::size_t at = block.targets.size();
    block.targets.insert(block.targets.end(), state, state + layout_.words());
    std::uint64_t* target = &block.targets[at];
    double weight = 1;
    for (std::size_t i = 0; i < participants; ++i) {
      const Scratch::Evaluated& alternative = scratch.evaluated[scratch.alternative[i]];
      weight *= alternative.weight;
      for (std::uint32_t k = alternative.first; k < alternative.last; ++k)
        layout_.set(target, scratch.values[k].first, scratch.values[k].second);
    }
    block.transitions.push_back({weight, layout_.hash(target)});
    std::size_t digit = 0;
    while (digit < participants && ++scratch.alternative[digit] == chosen(digit).last) {
      scratch.alternative[digit] = chosen(digit).first;
      ++digit;
    }
    if (digit == participants) return;
  }
}

double Successors::reward(const std::vector<RewardCode>& items, Action action, Scratch& scratch) const {
  double sum = 0;
  for (const RewardCode& item : items) {
    if (item.action != action) continue;
    const bool is_earned = machine_.run(item.guard, scratch.frame).integer != 0;
    if (is_earned && scratch.frame.fault == Fault::None) sum += machine_.run(item.value, scratch.frame).real;
    if (scratch.frame.fault != Fault::None)
      fail(item.item->location, fmt::format("this reward has {}", to_string(scratch.frame.fault)), scratch);
    if (!std::isfinite(sum)) fail(item.item->location, "this reward is not a finite number", scratch);
  }
  return sum;
}

double Successors::state_reward(const std::uint64_t* state, std::size_t structure, Scratch& scratch) const {
  load(state, scratch);
  return reward(rewards_[structure].states, 0, scratch);
}

std::string describe_values(const Model& model, const StateLayout& layout, const std::uint64_t* state) {
  std::string text;
  for (std::size_t i = 0; i < model.variables.size(); ++i) {
    const std::int64_t value = layout.get(state, i);
    const std::string shown =
        model.variables[i].type == Type::Bool ? (value != 0 ? "true" : "false") : std::to_string(value);
    text += fmt::format("{}{}={}", i == 0 ? "" : ",", model.variables[i].name, shown);
  }
  return "(" + text + ")";
}

}  // namespace plumb::chain
