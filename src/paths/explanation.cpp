#include "paths/explanation.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace plumb::paths {

namespace {

constexpr Bounds kLow = 1;
constexpr Bounds kHigh = 2;
constexpr Bounds kLeast = 4;
constexpr Bounds kGreatest = 8;

/// The bounds of `domain` that are meant, and others of what is known anyway.
Range with_bounds(const Range& root, const Range& domain, Bounds bounds) {
  Range r = root;
  if ((bounds & kLow) != 0) r.low = domain.low;
  if ((bounds & kHigh) != 0) r.high = domain.high;
  if ((bounds & kLeast) != 0) r.least = domain.least;
  if ((bounds & kGreatest) != 0) r.greatest = domain.greatest;
  return r;
}

bool has_same(const Range& a, const Range& b, Bounds bounds) { return with_bounds(a, b, bounds) == a; }

bool is_within(const Range& r, const Range& outer) {
  return outer.low <= r.low && r.high <= outer.high && outer.least <= r.least && r.greatest <= outer.greatest;
}

}  // namespace

Contradiction Explanation::of_conflict(const Domains::Change& conflict) {
  Contradiction contradiction;
  lift(conflict, static_cast<Mark>(domains_.trail().size()), std::nullopt, contradiction.premises);
  return contradiction;
}

Contradiction Explanation::of_nogood(Nogoods::Id id) const {
  std::vector<Mark> marks;
  for (const Literal each : nogoods_.literals(id)) marks.push_back(domains_.latest(each.cell));
  return of_changes(marks);
}

Contradiction Explanation::of_changes(std::span<const Mark> marks) const {
  Contradiction contradiction;
  for (const Mark mark : marks) {
    if (mark == Domains::kRoot) continue;
    const Cell c = domains_.trail()[mark].cell;
    contradiction.premises.push_back({mark, kAllBounds, before(c, mark + 1).domain});
  }
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
Explanation::Premise Explanation::premise(const Version& version, Bounds bounds) const {
  Premise found{version.mark, bounds, version.domain};
  while (found.mark != Domains::kRoot) {
    const Domains::Change& change = domains_.trail()[found.mark];
    const Range& earlier = change.previous == Domains::kRoot ? domains_.root(version.cell) : change.before;
    if (!has_same(earlier, found.domain, bounds)) break;
    found.mark = change.previous;
    found.domain = change.before;
  }
  return found;
}

void Explanation::lift(const Domains::Change& change, Mark mark, const std::optional<Range>& needed,
                       std::vector<Premise>& to) {
  const TermStore& terms = domains_.terms();
  const Cell cause = change.cause;
  std::array<Version, 4> versions;
  std::array<Range, 4> ranges;
  Parts parts{};
  const std::span<const Cell> operands = domains_.operands(cause);
  const auto take = [&](unsigned part, const Version& version) {
    versions[part] = version;
    ranges[part] = version.domain;
    parts[part] = &ranges[part];
  };
  for (unsigned i = 0; i < operands.size(); ++i) take(i, before(operands[i], mark));
  take(kResult, before(cause, mark));
  take(change.part, {change.cell, change.previous, change.before});
  const std::uint32_t width = domains_.width(change.cell);
  const auto suffices = [&] {
    const auto left = implied(terms, domains_.term(cause), change.part, parts);
    const auto own = left ? intersected(width, ranges[change.part], *left) : std::nullopt;
    return !own || (needed && is_within(*own, *needed));
  };
  // What is set last is tried first: earlier choices say more.
  std::array<unsigned, 4> order{0, 1, 2, kResult};
  const auto age = [&](unsigned part) { return parts[part] == nullptr ? 0 : versions[part].mark + 1; };
  std::ranges::sort(order, [&](unsigned a, unsigned b) { return age(a) > age(b); });
  for (const unsigned part : order) {
    if (parts[part] == nullptr || versions[part].mark == Domains::kRoot) continue;
    const Version& version = versions[part];
    const Range& root = domains_.root(version.cell);
    ranges[part] = root;
    if (suffices()) continue;
    Bounds bounds = kAllBounds;
    if (domains_.is_boolean(version.cell)) {
      ranges[part] = version.domain;
    } else {
      for (const Bounds each : {kLow, kHigh, kLeast, kGreatest}) {
        ranges[part] = with_bounds(root, version.domain, static_cast<Bounds>(bounds & ~each));
        if (suffices()) bounds = static_cast<Bounds>(bounds & ~each);
      }
      ranges[part] = with_bounds(root, version.domain, bounds);
    }
    to.push_back(premise(version, bounds));
  }
}

void Explanation::expand(Mark mark, const Premise& needed, std::vector<Premise>& to) {
  const Domains::Change& change = domains_.trail()[mark];
  if (change.cause == Domains::kDecided) return;
  if (change.cause == Domains::kImplied) {
    for (const Literal each : nogoods_.literals(change.part)) {
      if (each.cell == change.cell) continue;
      const Version version = before(each.cell, mark);
      to.push_back({version.mark, kAllBounds, version.domain});
    }
    return;
  }
  lift(change, mark, with_bounds(domains_.root(change.cell), needed.domain, needed.bounds), to);
}

void Explanation::add(const Premise& premise) {
  if (premise.mark == Domains::kRoot) return;
  const Domains::Change& change = domains_.trail()[premise.mark];
  if (change.level == 0) return;
  const auto [known, is_new] = needed_.try_emplace(premise.mark, premise);
  if (!is_new) {
    known->second.bounds |= premise.bounds;
    return;
  }
  open_.push(premise.mark);
  if (change.level == last_level_) ++of_last_level_;
}

std::optional<Explanation::Learnt> Explanation::of(const Contradiction& contradiction) {
  needed_.clear();
  last_level_ = 0;
  of_last_level_ = 0;
  for (const Premise& each : contradiction.premises)
    if (each.mark != Domains::kRoot) last_level_ = std::max(last_level_, domains_.trail()[each.mark].level);
  for (const Premise& each : contradiction.premises) add(each);
  Learnt learnt;
  std::vector<std::uint32_t> levels;
  collect(learnt, levels);
  if (!open_.empty()) {
    // What was made on the last level needs none of its choices: it was seen there only.
    Contradiction earlier;
    for (; !open_.empty(); open_.pop()) earlier.premises.push_back(needed_.at(open_.top()));
    return of(earlier);
  }
  if (learnt.literals.empty()) return std::nullopt;
  put_second(learnt.literals, levels);
  learnt.level = learnt.literals.size() < 2 ? 0 : *std::max_element(levels.begin() + 1, levels.end());
  return learnt;
}

/// Until nothing is open, or the last level is left without a literal of it.
void Explanation::collect(Learnt& learnt, std::vector<std::uint32_t>& levels) {
  std::vector<Premise> premises;
  while (!open_.empty()) {
    const Mark mark = open_.top();
    const Domains::Change& change = domains_.trail()[mark];
    const bool is_last = change.level == last_level_;
    if (!is_last && learnt.literals.empty()) return;
    open_.pop();
    if (is_last) --of_last_level_;
    if (domains_.is_boolean(change.cell) && (!is_last || of_last_level_ == 0)) {
      learnt.literals.push_back(literal(change.cell));
      levels.push_back(change.level);
      continue;
    }
    premises.clear();
    expand(mark, needed_.at(mark), premises);
    for (const Premise& each : premises) add(each);
  }
}

/// The first literal is of the highest level, as open_ gives it; the highest of the others comes second.
void Explanation::put_second(std::vector<Literal>& literals, const std::vector<std::uint32_t>& levels) {
  if (literals.size() < 3) return;
  const auto highest = std::max_element(levels.begin() + 1, levels.end()) - levels.begin();
  std::swap(literals[1], literals[static_cast<std::size_t>(highest)]);
}

}  // namespace plumb::paths
