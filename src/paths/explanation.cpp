#include "paths/explanation.h"

#include <algorithm>
#include <bit>

namespace plumb::paths {

namespace {

constexpr std::ptrdiff_t kMostAssumed = 4;

}  // namespace

Contradiction Explanation::of_conflict(const Domains::Change& conflict) {
  Contradiction contradiction;
  expand(conflict, static_cast<Mark>(domains_.trail().size()), std::nullopt, contradiction.premises);
  return contradiction;
}

Contradiction Explanation::of_changes(std::span<const Mark> marks) const {
  Contradiction contradiction;
  for (const Mark mark : marks)
    if (mark != Domains::kRoot)
      contradiction.premises.push_back({mark, kAllBounds, before(domains_.trail()[mark].cell, mark + 1).domain});
  return contradiction;
}

Explanation::Version Explanation::before(Cell c, Mark mark) const {
  Version version{c, domains_.latest(c), domains_.domain(c)};
  while (version.mark != Domains::kRoot && version.mark >= mark) {
    const Domains::Change& change = domains_.trail()[version.mark];
    version.domain = change.before;
    version.mark = change.previous;
  }
  return version;
}

/// The change that first gave these bounds.
Explanation::Premise Explanation::first(const Version& version, Bounds bounds, const Range& needed) const {
  Mark mark = version.mark;
  while (mark != Domains::kRoot) {
    const Domains::Change& change = domains_.trail()[mark];
    if (!is_within(change.before, needed, bounds)) break;
    mark = change.previous;
  }
  return {mark, bounds, needed};
}

Explanation::Step Explanation::step(const Domains::Change& change, Mark mark) const {
  Step step;
  step.change = &change;
  const auto take = [&](unsigned part, const Version& version) {
    step.versions[part] = version;
    step.ranges[part] = version.domain;
  };
  const Version own{change.cell, change.previous, change.before};
  if (change.cause == Domains::kImplied || change.cause == Domains::kDecided) {
    take(kResult, own);
    return step;
  }
  const std::span<const Cell> operands = domains_.operands(change.cause);
  for (unsigned i = 0; i < operands.size(); ++i) take(i, before(operands[i], mark));
  take(kResult, before(change.cause, mark));
  take(change.part, own);
  return step;
}

bool Explanation::suffices(const Step& step, const std::optional<Premise>& needed) const {
  const Domains::Change& change = *step.change;
  const std::uint32_t width = domains_.width(change.cell);
  std::optional<Range> left;
  unsigned own = kResult;
  if (change.cause == Domains::kImplied) {
    for (const Literal& each : nogoods_.literals(change.part))
      if (each.cell == change.cell && !holds_in(each, change.before)) left = values_of(!each, width);
  } else {
    Parts parts{};
    for (unsigned i = 0; i < 4; ++i)
      if (step.versions[i].cell != kNoCell) parts[i] = &step.ranges[i];
    left = implied(domains_.terms(), domains_.term(change.cause), change.part, parts);
    own = change.part;
  }
  if (left) left = intersected(width, step.ranges[own], *left);
  return !left || (needed && is_within(*left, needed->needed, needed->bounds));
}

void Explanation::lift(Step& step, const std::optional<Premise>& needed, std::vector<Premise>& to) const {
  // What is set last is tried first: earlier choices say more.
  std::array<unsigned, 4> order{0, 1, 2, kResult};
  const auto age = [&](unsigned part) { return step.versions[part].mark + 1; };
  std::ranges::sort(order, [&](unsigned a, unsigned b) { return age(a) > age(b); });
  for (const unsigned part : order) {
    const Version& version = step.versions[part];
    if (version.mark == Domains::kRoot) continue;
    const Range& root = domains_.root(version.cell);
    step.ranges[part] = root;
    if (suffices(step, needed)) continue;
    Bounds bounds = kAllBounds;
    if (!domains_.is_boolean(version.cell)) {
      for (const Bounds each : {kLow, kHigh, kLeast, kGreatest}) {
        step.ranges[part] = with_bounds(root, version.domain, static_cast<Bounds>(bounds & ~each));
        if (suffices(step, needed)) bounds = static_cast<Bounds>(bounds & ~each);
      }
    }
    step.ranges[part] = with_bounds(root, version.domain, bounds);
    to.push_back(first(version, bounds, version.domain));
  }
}

void Explanation::expand(const Domains::Change& change, Mark mark, const std::optional<Premise>& needed,
                         std::vector<Premise>& to) {
  if (change.cause == Domains::kDecided) return;
  if (change.cause == Domains::kImplied) {
    for (const Literal& each : nogoods_.literals(change.part)) {
      const Version version = before(each.cell, mark);
      if (each.cell == change.cell && !holds_in(each, change.before)) continue;  // the one that was implied not to hold
      Range bound = version.domain;
      const Range values = values_of(each, domains_.width(each.cell));
      if (each.bound == kLow) bound.low = values.low;
      if (each.bound == kHigh) bound.high = values.high;
      if (each.bound == kLeast) bound.least = values.least;
      if (each.bound == kGreatest) bound.greatest = values.greatest;
      to.push_back(first(version, each.bound, bound));
    }
  }
  Step made = step(change, mark);
  lift(made, needed, to);
}

void Explanation::add(const Premise& premise) {
  if (premise.mark == Domains::kRoot) return;
  const Domains::Change& change = domains_.trail()[premise.mark];
  if (change.level == 0) return;
  const auto [known, is_new] = needed_.try_emplace(premise.mark, premise);
  if (is_new) {
    open_.push(premise.mark);
    if (change.level == last_level_) ++of_last_level_;
    return;
  }
  Premise& both = known->second;
  const Range all = Range::all(domains_.width(change.cell));
  const Range a = with_bounds(all, both.needed, both.bounds);
  const Range b = with_bounds(all, premise.needed, premise.bounds);
  both.needed = {std::max(a.low, b.low), std::min(a.high, b.high), std::max(a.least, b.least),
                 std::min(a.greatest, b.greatest)};
  both.bounds |= premise.bounds;
}

std::optional<Explanation::Learnt> Explanation::of(const Contradiction& contradiction) {
  needed_.clear();
  last_level_ = 0;
  of_last_level_ = 0;
  for (const Premise& each : contradiction.premises)
    if (each.mark != Domains::kRoot) last_level_ = std::max(last_level_, domains_.trail()[each.mark].level);
  for (const Premise& each : contradiction.premises) add(each);
  Learnt learnt;
  collect(learnt);
  if (!open_.empty()) {
    // What was made on the last level needs none of its choices: it was seen there only.
    Contradiction earlier;
    for (; !open_.empty(); open_.pop()) earlier.premises.push_back(needed_.at(open_.top()));
    return of(earlier);
  }
  if (learnt.literals.empty()) return std::nullopt;
  replace_assumed(learnt);
  put_second(learnt);
  return learnt;
}

bool Explanation::is_one_literal(const Premise& premise) const {
  return domains_.is_boolean(domains_.trail()[premise.mark].cell) || std::has_single_bit(premise.bounds);
}

void Explanation::put(const Premise& premise, Learnt& learnt) const {
  const Domains::Change& change = domains_.trail()[premise.mark];
  if (domains_.is_boolean(change.cell)) {
    learnt.literals.push_back(Literal::of(change.cell, domains_.domain(change.cell).is_true()));
    learnt.levels.push_back(change.level);
    return;
  }
  for (const Bounds bound : {kLow, kHigh, kLeast, kGreatest}) {
    if ((premise.bounds & bound) == 0) continue;
    learnt.literals.push_back(literal_of(change.cell, bound, premise.needed));
    learnt.levels.push_back(change.level);
  }
}

/// Until nothing is open, or the last level is left without a literal of it.
void Explanation::collect(Learnt& learnt) {
  std::vector<Premise> premises;
  const auto is_of_last = [&](const Premise& each) {
    return each.mark != Domains::kRoot && domains_.trail()[each.mark].level == last_level_;
  };
  while (!open_.empty()) {
    const Mark mark = open_.top();
    const Domains::Change& change = domains_.trail()[mark];
    const bool is_last = change.level == last_level_;
    if (!is_last && learnt.literals.empty()) return;
    open_.pop();
    if (is_last) --of_last_level_;
    const Premise needed = needed_.at(mark);
    premises.clear();
    if (is_last) expand(change, mark, needed, premises);
    // What follows from earlier levels alone is of these, and only was seen on the last one.
    const bool is_of_level = !is_last || change.cause == Domains::kDecided || std::ranges::any_of(premises, is_of_last);
    if (is_of_level && (!is_last || (of_last_level_ == 0 && is_one_literal(needed)))) {
      put(needed, learnt);
      continue;
    }
    for (const Premise& each : premises) add(each);
  }
}

/// Many literals that follow from what is assumed are one: the assumption.
void Explanation::replace_assumed(Learnt& learnt) const {
  const auto is_assumed = [&](std::uint32_t level) { return level <= assumptions_; };
  if (is_assumed(learnt.levels.front()) || std::ranges::count_if(learnt.levels, is_assumed) <= kMostAssumed) return;
  Learnt shorter;
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < learnt.levels.size(); ++i) {
    if (is_assumed(learnt.levels[i])) {
      last = std::max(last, learnt.levels[i]);
    } else {
      shorter.literals.push_back(learnt.literals[i]);
      shorter.levels.push_back(learnt.levels[i]);
    }
  }
  for (std::uint32_t level = 1; level <= last; ++level) {
    const std::optional<Literal> decided = domains_.decided_at(level);
    if (!decided) continue;
    shorter.literals.push_back(*decided);
    shorter.levels.push_back(level);
  }
  learnt = std::move(shorter);
}

/// The first literal is of the highest level, as open_ gives it; the highest of the others comes second.
void Explanation::put_second(Learnt& learnt) {
  if (learnt.literals.size() < 3) return;
  const auto highest = std::max_element(learnt.levels.begin() + 1, learnt.levels.end()) - learnt.levels.begin();
  std::swap(learnt.literals[1], learnt.literals[static_cast<std::size_t>(highest)]);
  std::swap(learnt.levels[1], learnt.levels[static_cast<std::size_t>(highest)]);
}

}  // namespace plumb::paths
