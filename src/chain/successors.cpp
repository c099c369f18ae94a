#include "chain/successors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace plumb::chain {

void SuccessorBlock::clear() {
  row_counts.resize(0);
  rows.resize(0);
  weights.resize(0);
  targets.resize(0);
  rewards.resize(0);
  overlaps = 0;
  error = nullptr;
}

void Successors::Scratch::Rows::clear() {
  rows.clear();
  weights.clear();
  targets.clear();
  rewards.clear();
}

std::unique_ptr<Successors::Scratch> Successors::scratch(WeightTable& weights) const {
  auto scratch = std::make_unique<Scratch>(weights);
  scratch->frame = machine_.frame();
  scratch->enabled.resize(max_participants_);
  scratch->counter.resize(max_participants_);
  scratch->alternative.resize(max_participants_);
  scratch->action_rewards.resize(action_structures_.size());
  scratch->reward_sums.resize(action_structures_.size());
  for (const Group& group : groups_)
    scratch->tables.emplace_back(group.masks, layout_.words(), action_structures_.size());
  return scratch;
}

void Successors::load(const std::uint64_t* state, Scratch& scratch) const {
  const std::span<const StateLayout::Field> fields = layout_.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) scratch.frame.slots[i].integer = layout_.get(state, i);
  scratch.frame.fault = Fault::None;
  scratch.is_loaded = true;
}

void Successors::fail(const SourceLocation& location, const std::string& what, const Scratch& scratch) const {
  std::vector<std::uint64_t> state(layout_.words());
  for (std::size_t i = 0; i < model_.variables.size(); ++i)
    layout_.set(state.data(), i, scratch.frame.slots[i].integer);
  throw UserError(location, fmt::format("{} in state {}", what, describe_values(model_, layout_, state.data())));
}

bool Successors::holds(const Rest& rest, const Command& command, Scratch& scratch) const {
  const bool result = machine_.run(rest.code, scratch.frame).integer != 0;
  if (scratch.frame.fault != Fault::None)
    fail(command.location, fmt::format("the guard of this command has {}", to_string(scratch.frame.fault)), scratch);
  return result;
}

bool Successors::is_enabled(const CompiledCommand& command, Scratch& scratch) const {
  for (std::uint32_t i = command.first_range; i < command.last_range; ++i)
    if (!is_in(ranges_[i], scratch)) return false;
  for (std::uint32_t i = command.first_rest; i < command.last_rest; ++i)
    if (!holds(rests_[i], *command.source, scratch)) return false;
  return true;
}

bool Successors::guard_holds(const std::uint64_t* state, const Group& group, Scratch& scratch) const {
  if (group.ranges.empty() && group.rests.empty()) return true;
  if (!scratch.is_loaded) load(state, scratch);
  for (const std::uint32_t range : group.ranges)
    if (!is_in(ranges_[range], scratch)) return false;
  for (const auto& [rest, command] : group.rests)
    if (!holds(rests_[rest], *command, scratch)) return false;
  return true;
}

Value Successors::evaluate_weight(const CompiledAlternative& alternative, const Command& command,
                                  Scratch& scratch) const {
  if (alternative.is_constant) return alternative.weight;
  const Value weight = machine_.run(alternative.code, scratch.frame);
  const char* what = model_.kind == Kind::Ctmc ? "rate" : "probability";
  if (scratch.frame.fault != Fault::None)
    fail(command.location, fmt::format("a {} of this command has {}", what, to_string(scratch.frame.fault)), scratch);
  if (!is_weight(weight))
    fail(command.location, fmt::format("a {} of this command is {}", what, text_of(weight)), scratch);
  return weight;
}

std::int64_t Successors::new_value(const CompiledAssignment& assignment, Scratch& scratch) const {
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
  return value;
}

Successors::Scratch::Enabled Successors::evaluate(std::uint32_t index, Scratch& scratch) const {
  const CompiledCommand& command = commands_[index];
  Scratch::Enabled enabled{index, static_cast<std::uint32_t>(scratch.evaluated.size()), 0};
  Value sum{};
  for (std::uint32_t i = command.first; i < command.last; ++i) {
    const CompiledAlternative& alternative = alternatives_[i];
    const Value weight = evaluate_weight(alternative, *command.source, scratch);
    if (!command.is_sum_checked) sum = reals_.add(sum, weight);
    if (reals_.is_zero(weight)) continue;
    const auto first = static_cast<std::uint32_t>(scratch.values.size());
    for (std::uint32_t k = alternative.first; k < alternative.last; ++k)
      scratch.values.emplace_back(assignments_[k].variable, new_value(assignments_[k], scratch));
    scratch.evaluated.push_back({weight, first, static_cast<std::uint32_t>(scratch.values.size())});
  }
  enabled.last = static_cast<std::uint32_t>(scratch.evaluated.size());
  if (!command.is_sum_checked) check_sum(*command.source, sum, &scratch);
  return enabled;
}

void Successors::compute(const std::uint64_t* state, const Group& group, Scratch& scratch) const {
  if (!scratch.is_loaded) load(state, scratch);
  scratch.computed.clear();
  for (const std::uint32_t move : group.moves) compute_move(state, moves_[move], group.has_guard, scratch);
  Scratch::Rows& into = scratch.computed;
  if (model_.kind != Kind::Ctmc || has_choices_ || into.rows.size() <= 1) return;
  // Rates add up anyway, so one row does.
  const std::size_t structures = action_structures_.size();
  for (std::size_t i = structures; i < into.rewards.size(); ++i) {
    Value& total = into.rewards[i % structures];
    total = reals_.add(total, into.rewards[i]);
  }
  into.rewards.resize(structures);
  into.rows.assign(1, {0, static_cast<std::uint32_t>(into.weights.size())});
}

void Successors::compute_move(const std::uint64_t* state, const Move& move, bool is_known_enabled,
                              Scratch& scratch) const {
  const std::size_t participants = move.participants.size();
  scratch.evaluated.clear();
  scratch.values.clear();
  for (std::size_t i = 0; i < participants; ++i) {
    scratch.enabled[i].clear();
    for (const std::uint32_t command : move.participants[i])
      if (is_known_enabled || is_enabled(commands_[command], scratch)) scratch.enabled[i].push_back({command, 0, 0});
    if (scratch.enabled[i].empty()) return;
  }
  for (std::size_t i = 0; i < participants; ++i)
    for (Scratch::Enabled& enabled : scratch.enabled[i]) enabled = evaluate(enabled.command, scratch);
  for (std::size_t k = 0; k < action_structures_.size(); ++k)
    scratch.action_rewards[k] = reward(rewards_[action_structures_[k]].actions, move.action, scratch);
  std::fill_n(scratch.counter.begin(), participants, 0);
  Scratch::Rows& into = scratch.computed;
  while (true) {
    const std::size_t before = into.weights.size();
    compute_choice(state, participants, scratch);
    if (into.weights.size() > before) {
      into.rows.push_back({move.action, static_cast<std::uint32_t>(into.weights.size() - before)});
      Value weight = reals_.one();
      if (model_.kind == Kind::Ctmc && !action_structures_.empty()) {
        weight = {};
        for (std::size_t i = before; i < into.weights.size(); ++i)
          weight = reals_.add(weight, scratch.weights.value(into.weights[i]));
      }
      for (const Value value : scratch.action_rewards) into.rewards.push_back(reals_.multiply(value, weight));
    }
    std::size_t digit = 0;
    while (digit < participants && ++scratch.counter[digit] == scratch.enabled[digit].size())
      scratch.counter[digit++] = 0;
    if (digit == participants) return;
  }
}

void Successors::compute_choice(const std::uint64_t* state, std::size_t participants, Scratch& scratch) const {
  const auto chosen = [&](std::size_t i) -> const Scratch::Enabled& { return scratch.enabled[i][scratch.counter[i]]; };
  for (std::size_t i = 0; i < participants; ++i) {
    scratch.alternative[i] = chosen(i).first;
    if (chosen(i).first == chosen(i).last) return;  // all its weights are zero
  }
  Scratch::Rows& into = scratch.computed;
  while (true) {
    const std::size_t at = into.targets.size();
    into.targets.insert(into.targets.end(), state, state + layout_.words());
    Value weight = reals_.one();
    for (std::size_t i = 0; i < participants; ++i) {
      const Scratch::Evaluated& alternative = scratch.evaluated[scratch.alternative[i]];
      weight = reals_.multiply(weight, alternative.weight);
      for (std::uint32_t k = alternative.first; k < alternative.last; ++k)
        layout_.set(&into.targets[at], scratch.values[k].first, scratch.values[k].second);
    }
    into.weights.push_back(scratch.weights.index(weight));
    std::size_t digit = 0;
    while (digit < participants && ++scratch.alternative[digit] == chosen(digit).last) {
      scratch.alternative[digit] = chosen(digit).first;
      ++digit;
    }
    if (digit == participants) return;
  }
}

std::uint32_t Successors::ask_groups(const std::uint64_t* state, Scratch& scratch, SuccessorBlock& block) const {
  const std::uint32_t words = layout_.words();
  std::uint32_t choices = 0;
  const auto add_rows = [&](std::span<const SuccessorRow> rows, std::span<const Value> rewards) {
    choices += static_cast<std::uint32_t>(rows.size());
    if (has_choices_) {
      std::ranges::copy(rows, block.rows.extend(rows.size()));
      std::ranges::copy(rewards, block.rewards.extend(rewards.size()));
      return;
    }
    const std::size_t structures = scratch.reward_sums.size();
    for (std::size_t i = 0; i < rewards.size(); ++i) {
      Value& sum = scratch.reward_sums[i % structures];
      sum = reals_.add(sum, rewards[i]);
    }
  };
  for (const std::uint32_t g : selected_[state[selector_.word] >> selector_.shift & selector_.mask]) {
    const Group& group = groups_[g];
    if (!std::ranges::all_of(group.filter, [&](const Allowed& allowed) { return allowed.contains(state); })) continue;
    if (group.has_guard && !guard_holds(state, group, scratch)) continue;
    LocalTable& table = scratch.tables[g];
    const LocalTable::Entry* entry = table.is_useful() ? table.find(state) : nullptr;
    if (!entry) {
      compute(state, group, scratch);
      const Scratch::Rows& rows = scratch.computed;
      if (!table.is_useful()) {
        std::ranges::copy(rows.weights, block.weights.extend(rows.weights.size()));
        std::ranges::copy(rows.targets, block.targets.extend(rows.targets.size()));
        add_rows(rows.rows, rows.rewards);
        continue;
      }
      entry = &table.add(state, rows.rows, rows.weights, rows.targets.data(), rows.rewards);
    }
    const std::uint32_t count = entry->transitions;
    if (count == 0) continue;
    std::uint32_t* weights = block.weights.extend(count);
    std::uint64_t* targets = block.targets.extend(std::size_t{count} * words);
    const std::uint64_t* from = table.transitions(*entry);
    if (words == 1) {
      for (std::uint32_t i = 0; i < count; ++i) {
        weights[i] = static_cast<std::uint32_t>(from[2 * i]);
        targets[i] = state[0] + from[2 * i + 1];
      }
    } else {
      for (std::uint32_t i = 0; i < count; ++i) {
        weights[i] = static_cast<std::uint32_t>(*from++);
        for (std::uint32_t w = 0; w < words; ++w) *targets++ = state[w] + *from++;
      }
    }
    if (has_choices_ || !scratch.reward_sums.empty())
      add_rows(table.rows(*entry), table.rewards(*entry));
    else
      choices += entry->rows();
  }
  return choices;
}

void Successors::expand(const std::uint64_t* state, Scratch& scratch, SuccessorBlock& block) const {
  const std::size_t first_row = block.rows.size();
  const std::size_t first = block.weights.size();
  const std::size_t first_reward = block.rewards.size();
  std::uint32_t choices = 0;
  scratch.is_loaded = false;
  std::ranges::fill(scratch.reward_sums, Value{});
  try {
    choices = ask_groups(state, scratch, block);
  } catch (...) {
    block.rows.resize(first_row);
    block.weights.resize(first);
    block.targets.resize(first * layout_.words());
    block.rewards.resize(first_reward);
    throw;
  }
  if (has_choices_ || choices == 0) {
    block.row_counts.push_back(choices);
    return;
  }
  // Of the other kinds a state has one row: rates add up, and each of several commands of a dtmc has the same part.
  if (model_.kind == Kind::Dtmc && choices > 1) divide(choices, first, scratch, block);
  block.row_counts.push_back(1);
  block.rows.push_back({0, static_cast<std::uint32_t>(block.weights.size() - first)});
  for (const Value sum : scratch.reward_sums) block.rewards.push_back(sum);
}

void Successors::divide(std::uint32_t choices, std::size_t first, Scratch& scratch, SuccessorBlock& block) const {
  if (block.overlaps++ == 0) block.first_overlap = block.row_counts.size();
  const Value part = reals_.divide(reals_.one(), reals_.of_integer(choices));
  for (std::size_t i = first; i < block.weights.size(); ++i)
    block.weights[i] = scratch.weights.index(reals_.multiply(scratch.weights.value(block.weights[i]), part));
  for (Value& sum : scratch.reward_sums) sum = reals_.multiply(sum, part);
}

Value Successors::reward(const std::vector<RewardCode>& items, Action action, Scratch& scratch) const {
  Value sum{};
  for (const RewardCode& item : items) {
    if (item.action != action) continue;
    const bool is_earned = machine_.run(item.guard, scratch.frame).integer != 0;
    if (is_earned && scratch.frame.fault == Fault::None) sum = reals_.add(sum, machine_.run(item.value, scratch.frame));
    if (scratch.frame.fault != Fault::None)
      fail(item.item->location, fmt::format("this reward has {}", to_string(scratch.frame.fault)), scratch);
    if (!reals_.is_exact() && !std::isfinite(sum.real))
      fail(item.item->location, "this reward is not a finite number", scratch);
  }
  return sum;
}

Value Successors::state_reward(const std::uint64_t* state, std::size_t structure, Scratch& scratch) const {
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
