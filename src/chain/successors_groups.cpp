// Which moves are asked together. A group's table has an entry for each combination of values that occurs, so moves are
// put together while those stay few; the order of the moves is kept. Before that, moves are told apart by one variable,
// the one whose values leave the fewest of them: models of processes have a program counter, and most commands begin
// with a test of it. Where a guard depends on much and what the command does on little, the guard is computed in every
// state and only the rest is looked up.

#include <algorithm>
#include <map>

#include "chain/successors.h"

namespace plumb::chain {
namespace {

/// A variable with more values does not tell moves apart.
constexpr std::uint64_t kMostValues = 1024;
/// Groups of so many combinations need no filter, and larger ones are only made where nothing is added.
constexpr double kSmallTable = 1024;
constexpr double kLargeTable = 1 << 16;
/// The part of the moves that a variable has to leave, on average, at most.
constexpr double kWorthSelecting = 0.7;
/// Combinations of commands that synchronise are kept apart if there are no more of them.
constexpr std::size_t kMostCombinations = 256;

std::uint64_t value_count(const Variable& variable) {
  const auto span = static_cast<std::uint64_t>(variable.high) - static_cast<std::uint64_t>(variable.low);
  return span >= kMostValues ? kMostValues + 1 : span + 1;
}

bool is_subset(const std::vector<bool>& a, const std::vector<bool>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] && !b[i]) return false;
  return true;
}

}  // namespace

void Successors::add_moves(Move all) {
  std::size_t combinations = 1;
  for (const std::vector<std::uint32_t>& commands : all.participants)
    combinations = std::min(combinations * commands.size(), kMostCombinations + 1);
  if (combinations > kMostCombinations) {
    moves_.push_back(std::move(all));
    return;
  }
  std::vector<std::size_t> counter(all.participants.size());
  for (std::size_t n = 0; n < combinations; ++n) {
    Move& move = moves_.emplace_back();
    move.action = all.action;
    for (std::size_t i = 0; i < counter.size(); ++i) move.participants.push_back({all.participants[i][counter[i]]});
    for (std::size_t i = 0; i < counter.size() && ++counter[i] == all.participants[i].size(); ++i) counter[i] = 0;
  }
}

std::vector<bool> Successors::guard_support(const Move& move) const {
  std::vector<bool> result(model_.variables.size());
  for (const std::vector<std::uint32_t>& commands : move.participants)
    for (const std::uint32_t command : commands)
      for (const std::uint32_t variable : model_.expressions.support(commands_[command].source->guard))
        result[variable] = true;
  return result;
}

std::vector<bool> Successors::effect_support(const Move& move) const {
  std::vector<bool> result(model_.variables.size());
  const auto add = [&](Expression e) {
    for (const std::uint32_t variable : model_.expressions.support(e)) result[variable] = true;
  };
  for (const std::vector<std::uint32_t>& commands : move.participants)
    for (const std::uint32_t command : commands)
      for (const Alternative& alternative : commands_[command].source->alternatives) {
        add(alternative.weight);
        for (const Assignment& assignment : alternative.assignments) {
          result[assignment.variable] = true;
          add(assignment.value);
        }
      }
  for (const std::size_t structure : action_structures_)
    for (const RewardCode& code : rewards_[structure].actions)
      if (code.action == move.action) {
        add(code.item->guard);
        add(code.item->value);
      }
  return result;
}

void Successors::restrict_to_guard(const CompiledCommand& command, std::uint32_t variable, Machine::Frame& frame,
                                   std::vector<bool>& values) const {
  const std::int64_t low = model_.variables[variable].low;
  for (std::uint32_t i = command.first_range; i < command.last_range; ++i) {
    if (ranges_[i].variable != variable) continue;
    const auto first = static_cast<std::uint64_t>(ranges_[i].low) - static_cast<std::uint64_t>(low);
    for (std::uint64_t v = 0; v < values.size(); ++v)
      if (v < first || v > first + ranges_[i].span) values[v] = false;
  }
  for (std::uint32_t i = command.first_rest; i < command.last_rest; ++i) {
    if (rests_[i].support.size() != 1 || rests_[i].support[0] != variable) continue;
    for (std::uint64_t v = 0; v < values.size(); ++v) {
      frame.slots[variable].integer = low + static_cast<std::int64_t>(v);
      frame.fault = Fault::None;
      const bool holds = machine_.run(rests_[i].code, frame).integer != 0;
      if (!holds && frame.fault == Fault::None) values[v] = false;
    }
  }
}

std::vector<bool> Successors::allowed_values(const Move& move, std::uint32_t variable) const {
  std::vector<bool> result(value_count(model_.variables[variable]), true);
  Machine::Frame frame = machine_.frame();
  for (const std::vector<std::uint32_t>& commands : move.participants) {
    std::vector<bool> some(result.size());
    for (const std::uint32_t command : commands) {
      std::vector<bool> values(result.size(), true);
      restrict_to_guard(commands_[command], variable, frame, values);
      for (std::size_t v = 0; v < some.size(); ++v) some[v] = some[v] || values[v];
    }
    for (std::size_t v = 0; v < some.size(); ++v) result[v] = result[v] && some[v];
  }
  return result;
}

/// Works on the moves of one Successors.
class Successors::Grouping {
 public:
  explicit Grouping(Successors& successors)
      : successors_(successors),
        model_(successors.model_),
        selector_(static_cast<std::uint32_t>(model_.variables.size())) {
    for (const Move& move : successors.moves_) {
      const std::vector<bool> guard = successors.guard_support(move);
      Known& known = moves_.emplace_back();
      known.effect = successors.effect_support(move);
      known.support = united(guard, known.effect);
      for (std::uint32_t v = 0; v < guard.size(); ++v) {
        if (!guard[v] || value_count(model_.variables[v]) > kMostValues) continue;
        std::vector<bool> values = successors.allowed_values(move, v);
        const auto left = std::ranges::count(values, true);
        known.is_possible &= left > 0;
        if (static_cast<std::size_t>(left) < values.size()) known.allowed.emplace(v, std::move(values));
      }
    }
  }

  void run() {
    std::vector<std::uint32_t> all;
    for (std::uint32_t m = 0; m < moves_.size(); ++m)
      if (moves_[m].is_possible) all.push_back(m);
    const std::uint32_t variable = best_selector(all);
    if (variable == model_.variables.size()) {
      successors_.selected_.push_back(groups(all));
      return;
    }
    selector_ = variable;
    successors_.selector_ = successors_.layout_.fields()[variable];
    successors_.selected_.resize(successors_.selector_.mask + 1);
    for (std::uint64_t value = 0; value < value_count(model_.variables[variable]); ++value) {
      std::vector<std::uint32_t> moves;
      std::ranges::copy_if(all, std::back_inserter(moves), [&](std::uint32_t m) { return allows(m, variable, value); });
      successors_.selected_[value] = groups(moves);
    }
  }

 private:
  struct Known {
    std::vector<bool> support;
    std::vector<bool> effect;                            ///< the part of it without guards
    std::map<std::uint32_t, std::vector<bool>> allowed;  ///< for variables that guards test
    bool is_possible = true;
  };

  static std::vector<bool> united(std::vector<bool> a, const std::vector<bool>& b) {
    for (std::size_t v = 0; v < b.size(); ++v) a[v] = a[v] || b[v];
    return a;
  }

  bool allows(std::uint32_t move, std::uint32_t variable, std::uint64_t value) const {
    const auto found = moves_[move].allowed.find(variable);
    return found == moves_[move].allowed.end() || found->second[value];
  }

  std::uint32_t best_selector(const std::vector<std::uint32_t>& moves) const {
    const auto none = static_cast<std::uint32_t>(model_.variables.size());
    std::uint32_t best = none;
    double least = kWorthSelecting * static_cast<double>(moves.size());
    for (std::uint32_t v = 0; v < none; ++v) {
      const std::uint64_t values = value_count(model_.variables[v]);
      if (values < 2 || values > kMostValues) continue;
      double left = 0;
      for (const std::uint32_t move : moves) {
        const auto found = moves_[move].allowed.find(v);
        left += found == moves_[move].allowed.end()
                    ? 1
                    : static_cast<double>(std::ranges::count(found->second, true)) / static_cast<double>(values);
      }
      if (left >= least) continue;
      least = left;
      best = v;
    }
    return best;
  }

  double combinations(const std::vector<bool>& support) const {
    double product = 1;
    for (std::uint32_t v = 0; v < support.size(); ++v)
      if (support[v] && v != selector_)
        product *= static_cast<double>(model_.variables[v].high) - static_cast<double>(model_.variables[v].low) + 1;
    return product;
  }

  /// The moves in groups, by their numbers among the groups of all.
  std::vector<std::uint32_t> groups(const std::vector<std::uint32_t>& moves) {
    std::vector<std::uint32_t> result;
    std::vector<std::uint32_t> group;
    std::vector<bool> support;
    const auto close = [&] {
      if (!group.empty()) result.push_back(number(group, support));
      group.clear();
      support.clear();
    };
    for (const std::uint32_t move : moves) {
      const std::vector<bool>& own = moves_[move].support;
      if (combinations(own) > kLargeTable && successors_.moves_[move].is_single()) {
        close();
        result.push_back(number_guarded(move));
        continue;
      }
      std::vector<bool> both = united(own, support);
      const bool nests = is_subset(support, own) || is_subset(own, support);
      if (combinations(both) > (nests ? kLargeTable : kSmallTable)) {
        close();
        both = own;
      }
      group.push_back(move);
      support = std::move(both);
    }
    close();
    return result;
  }

  std::uint32_t number(const std::vector<std::uint32_t>& moves, const std::vector<bool>& support) {
    const auto [place, is_new] = numbers_.try_emplace(moves, static_cast<std::uint32_t>(successors_.groups_.size()));
    if (!is_new) return place->second;
    Group& group = successors_.groups_.emplace_back();
    group.moves = moves;
    add_masks(group, support);
    if (combinations(support) > kSmallTable) add_filter(group);
    return place->second;
  }

  std::uint32_t number_guarded(std::uint32_t move) {
    const auto [place, is_new] = numbers_.try_emplace({move}, static_cast<std::uint32_t>(successors_.groups_.size()));
    if (!is_new) return place->second;
    Group& group = successors_.groups_.emplace_back();
    group.moves = {move};
    group.has_guard = true;
    add_masks(group, moves_[move].effect);
    add_filter(group);
    const auto is_filtered = [&](std::uint32_t variable) { return moves_[move].allowed.contains(variable); };
    for (const std::vector<std::uint32_t>& commands : successors_.moves_[move].participants) {
      const CompiledCommand& command = successors_.commands_[commands[0]];
      for (std::uint32_t i = command.first_range; i < command.last_range; ++i)
        if (!is_filtered(successors_.ranges_[i].variable)) group.ranges.push_back(i);
      for (std::uint32_t i = command.first_rest; i < command.last_rest; ++i) {
        const std::vector<std::uint32_t>& of = successors_.rests_[i].support;
        if (of.size() != 1 || !is_filtered(of[0]) || can_fault(i)) group.rests.emplace_back(i, command.source);
      }
    }
    return place->second;
  }

  /// Conditions of one variable that have a fault for some value are not left to the filter, which says nothing of it.
  bool can_fault(std::uint32_t rest) const {
    const std::uint32_t variable = successors_.rests_[rest].support[0];
    Machine::Frame frame = successors_.machine_.frame();
    for (std::int64_t value = model_.variables[variable].low; value <= model_.variables[variable].high; ++value) {
      frame.slots[variable].integer = value;
      successors_.machine_.run(successors_.rests_[rest].code, frame);
    }
    return frame.fault != Fault::None;
  }

  void add_masks(Group& group, const std::vector<bool>& support) const {
    std::map<std::uint32_t, std::uint64_t> masks;
    for (std::uint32_t v = 0; v < support.size(); ++v) {
      const StateLayout::Field& field = successors_.layout_.fields()[v];
      if (support[v] && field.mask != 0) masks[field.word] |= field.mask << field.shift;
    }
    for (const auto& [word, mask] : masks) group.masks.push_back({word, mask});
  }

  void add_filter(Group& group) const {
    for (const auto& [variable, first] : moves_[group.moves[0]].allowed) {
      if (variable == selector_ && group.moves.size() == 1 && std::ranges::count(first, true) == 1) continue;
      std::vector<bool> values(first.size());
      for (const std::uint32_t move : group.moves)
        for (std::uint64_t v = 0; v < values.size(); ++v) values[v] = values[v] || allows(move, variable, v);
      if (std::ranges::count(values, false) == 0) continue;
      Allowed allowed{successors_.layout_.fields()[variable], std::vector<std::uint64_t>(values.size() / 64 + 1)};
      for (std::uint64_t v = 0; v < values.size(); ++v)
        if (values[v]) allowed.bits[v >> 6] |= std::uint64_t{1} << (v & 63);
      group.filter.push_back(std::move(allowed));
    }
  }

  Successors& successors_;
  const Model& model_;
  std::uint32_t selector_;  ///< the variable that tells moves apart
  std::vector<Known> moves_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;  ///< of groups by their moves
};

void Successors::choose_groups() { Grouping(*this).run(); }

}  // namespace plumb::chain
