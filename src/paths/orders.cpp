#include "paths/orders.h"

#include <utility>

namespace plumb::paths {

using term::Op;

void Orders::update() {
  number_.resize(domains_.size(), kNone);
  for (; seen_cells_ < domains_.size(); ++seen_cells_) {
    const auto c = static_cast<Cell>(seen_cells_);
    const Op op = domains_.op(c);
    if (domains_.is_leaf(c) || (op != Op::Ult && op != Op::Slt && op != Op::Eq)) continue;
    const std::span<const Cell> operands = domains_.operands(c);
    if (domains_.is_boolean(operands[0]) || domains_.is_known(operands[0]) || domains_.is_known(operands[1])) continue;
    put(operands[0]);
    put(operands[1]);
  }
}

void Orders::put(Cell ordered) {
  std::vector<Cell> open{ordered};
  while (!open.empty()) {
    const Cell c = open.back();
    open.pop_back();
    if (number_[c] != kNone || domains_.is_known(c)) continue;
    number_[c] = static_cast<std::uint32_t>(edges_.size());
    edges_.emplace_back();
    if (domains_.op(c) != Op::Ite || domains_.is_leaf(c)) continue;
    const std::span<const Cell> operands = domains_.operands(c);
    joins_[operands[0]].push_back(c);
    open.push_back(operands[1]);
    open.push_back(operands[2]);
  }
}

std::optional<Contradiction> Orders::on_change(Domains::Mark mark) {
  const Cell c = domains_.trail()[mark].cell;
  if (!domains_.is_boolean(c) || domains_.is_leaf(c)) return std::nullopt;
  if (auto contradiction = compare(c, mark)) return contradiction;
  const auto joins = joins_.find(c);
  if (joins == joins_.end()) return std::nullopt;
  for (const Cell join : joins->second) {
    const Cell branch = domains_.operands(join)[domains_.domain(c).is_true() ? 1 : 2];
    if (number_[branch] == kNone) continue;
    if (auto contradiction = add_equal(join, branch, mark)) return contradiction;
  }
  return std::nullopt;
}

std::optional<Contradiction> Orders::compare(Cell comparison, Domains::Mark mark) {
  const Op op = domains_.op(comparison);
  if (op != Op::Ult && op != Op::Slt && op != Op::Eq) return std::nullopt;
  const std::span<const Cell> operands = domains_.operands(comparison);
  if (number_[operands[0]] == kNone || number_[operands[1]] == kNone) return std::nullopt;
  const bool holds = domains_.domain(comparison).is_true();
  if (op == Op::Eq && !holds) different_.emplace_back(comparison, mark);
  if (op == Op::Eq) return holds ? add_equal(operands[0], operands[1], mark) : std::nullopt;
  const Kinds kind = op == Op::Ult ? kUnsigned : kSigned;
  // Not a < b is b <= a.
  return holds ? add(operands[0], {operands[1], true, kind, mark}) : add(operands[1], {operands[0], false, kind, mark});
}

std::optional<Contradiction> Orders::add_equal(Cell a, Cell b, Domains::Mark mark) {
  if (auto contradiction = add(a, {b, false, kUnsigned | kSigned, mark})) return contradiction;
  return add(b, {a, false, kUnsigned | kSigned, mark});
}

std::optional<Contradiction> Orders::add(Cell from, const Edge& edge) {
  for (const Kinds kind : {kUnsigned, kSigned})
    if ((edge.kinds & kind) != 0)
      if (auto contradiction = way(edge.to, from, !edge.is_strict, kind, edge.mark)) return contradiction;
  edges_[number_[from]].push_back(edge);
  made_.emplace_back(number_[from], edge.mark);
  return std::nullopt;
}

std::optional<Contradiction> Orders::way(Cell from, Cell to, bool needs_strict, Kinds kinds, Domains::Mark mark) {
  visits_.assign({{from, false, 0, mark}});
  seen_.resize(2 * edges_.size(), 0);
  ++search_;
  const auto is_new = [&](Cell c, bool is_strict) {
    return std::exchange(seen_[2 * std::size_t{number_[c]} + (is_strict ? 1 : 0)], search_) != search_;
  };
  for (std::size_t i = 0; i < visits_.size(); ++i) {
    const Visit visit = visits_[i];
    if (visit.cell == to && (visit.is_strict || !needs_strict)) {
      Contradiction contradiction;
      for (std::size_t at = i;; at = visits_[at].from) {
        const Domains::Mark reason = visits_[at].mark;
        if (reason != Domains::kRoot)
          contradiction.premises.push_back({reason, kAllBounds, domains_.domain(domains_.trail()[reason].cell)});
        if (at == 0) return contradiction;
      }
    }
    for (const Edge& edge : edges_[number_[visit.cell]]) {
      const bool is_strict = visit.is_strict || edge.is_strict;
      if ((edge.kinds & kinds) == 0 || !is_new(edge.to, is_strict)) continue;
      visits_.push_back({edge.to, is_strict, i, edge.mark});
    }
  }
  return std::nullopt;
}

std::optional<Contradiction> Orders::at_end() {
  for (const auto& [equation, mark] : different_) {
    const std::span<const Cell> operands = domains_.operands(equation);
    for (const Kinds kind : {kUnsigned, kSigned}) {
      auto there = way(operands[0], operands[1], false, kind, mark);
      if (!there) continue;
      const auto back = way(operands[1], operands[0], false, kind, mark);
      if (!back) continue;
      there->premises.insert(there->premises.end(), back->premises.begin(), back->premises.end());
      return there;
    }
  }
  return std::nullopt;
}

void Orders::settle() {
  for (auto& [equation, mark] : different_) mark = Domains::kRoot;
  for (const auto& [number, mark] : made_)
    for (Edge& edge : edges_[number]) edge.mark = Domains::kRoot;
  made_.clear();
}

void Orders::backtrack(Domains::Mark end) {
  while (!different_.empty() && different_.back().second != Domains::kRoot && different_.back().second >= end)
    different_.pop_back();
  for (; !made_.empty() && made_.back().second >= end; made_.pop_back()) edges_[made_.back().first].pop_back();
}

}  // namespace plumb::paths
