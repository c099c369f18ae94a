#include "paths/domains.h"

#include "base/error.h"
#include "term/range_evaluation.h"

namespace plumb::paths {

namespace {

/// Narrowings of one cell in one propagation, after which only what decides it counts: bounds may creep for long.
constexpr std::uint8_t kMostChanges = 24;
/// Numbers of which one propagation narrows the domain by their operands. One that stays as it is for a thousand rounds
/// of a loop has a thousand cells, and would be told each bound in each of them, most of which nobody asks.
constexpr std::uint32_t kMostForward = 256;
constexpr std::size_t kCheckInterval = 4096;

}  // namespace

Cell Domains::add(Term t, const Budget& budget) {
  if (const Cell known = cell_of(t); known != kNoCell) return known;
  INVARIANT(level() == 0, "cells should be made before anything is decided");
  const Term roots[] = {t};
  try {
    std::size_t visited = 0;
    term::post_order(terms_, roots, seen_, [&](Term each) {
      if (++visited % kCheckInterval == 0) budget.check();
      if (cell_of(each) == kNoCell && term::has_range(terms_, each)) make(each);
    });
  } catch (...) {
    seen_.clear();  // has terms that no cell was made for
    throw;
  }
  return cell_of(t);
}

void Domains::make(Term t) {
  const auto c = static_cast<Cell>(cells_.size());
  Data data{.term = t, .width = terms_.width(t), .op = terms_.op(t)};
  bool have_cells = terms_.arity(t) > 0;
  for (unsigned i = 0; i < terms_.arity(t); ++i) have_cells = have_cells && cell_of(terms_.child(t, i)) != kNoCell;
  if (have_cells) data.arity = static_cast<std::uint8_t>(terms_.arity(t));
  for (unsigned i = 0; i < data.arity; ++i) {
    const Cell operand = cell_of(terms_.child(t, i));
    data.operand[i] = operand;
    uses_.push_back({c, cells_[operand].first_use});
    cells_[operand].first_use = static_cast<std::uint32_t>(uses_.size() - 1);
  }
  if (t.id >= cell_of_.size()) cell_of_.resize(std::max<std::size_t>(terms_.size(), t.id + 1), kNoCell);
  cell_of_[t.id] = c;
  cells_.push_back(data);
  domains_.push_back(Range::all(data.width));
  domains_.back() = terms_.is_constant(t) ? Range::of(data.width, terms_.value(t).to_uint64()) : forward(c);
  if (data.op == term::Op::Ite && data.arity > 0) domains_.back() = joined_forward(c);
  roots_.push_back(domains_.back());
  latest_.push_back(kRoot);
  is_active_.push_back(false);
  is_queued_.push_back(false);
  changes_.push_back(0);
}

Range Domains::forward(Cell c) const {
  const Data& data = cells_[c];
  if (data.arity == 0) return terms_.is_constant(data.term) ? domains_[c] : Range::all(data.width);
  const Range* operands[3] = {};
  for (unsigned i = 0; i < data.arity; ++i) operands[i] = &domains_[data.operand[i]];
  return term::range_of(terms_, data.term, operands);
}

bool Domains::is_justified(Cell c) const {
  const Range values = forward(c);
  const Range& domain = domains_[c];
  return domain.low <= values.low && values.high <= domain.high && domain.least <= values.least &&
         values.greatest <= domain.greatest;
}

void Domains::backtrack(std::uint32_t level) {
  if (level >= this->level()) return;
  const Level to = levels_[level];
  levels_.resize(level);
  for (; trail_.size() > to.trail; trail_.pop_back()) {
    const Change& change = trail_.back();
    domains_[change.cell] = change.before;
    latest_[change.cell] = change.previous;
  }
  for (; activated_.size() > to.activated; activated_.pop_back()) is_active_[activated_.back()] = false;
  clear_queue();
}

void Domains::decide(const Literal& a) {
  INVARIANT(is_boolean(a.cell) && !is_known(a.cell), "an open Boolean should be decided");
  activate(a.cell);
  narrow(a.cell, values_of(a, 1), kDecided, 0);
}

std::optional<Literal> Domains::decided_at(std::uint32_t level) const {
  const std::size_t first = levels_[level - 1].trail;
  if (first >= trail_.size() || trail_[first].cause != kDecided) return std::nullopt;
  return Literal::of(trail_[first].cell, domains_[trail_[first].cell].is_true());
}

void Domains::activate(Cell c) {
  if (is_active_[c]) return;
  std::vector<Cell> open{c};
  while (!open.empty()) {
    const Cell next = open.back();
    open.pop_back();
    if (is_active_[next]) continue;
    is_active_[next] = true;
    activated_.push_back(next);
    enqueue(next);
    const Data& data = cells_[next];
    const bool is_join = data.op == term::Op::Ite && data.arity > 0;
    for (unsigned i = 0; i < (is_join ? 1U : data.arity); ++i)
      if (!is_active_[data.operand[i]]) open.push_back(data.operand[i]);
  }
}

void Domains::wake(Cell c) {
  if (is_active_[c]) enqueue(c);
  for (std::uint32_t u = cells_[c].first_use; u != 0; u = uses_[u].next)
    if (is_active_[uses_[u].user]) enqueue(uses_[u].user);
}

void Domains::enqueue(Cell c) {
  if (is_queued_[c] || cells_[c].arity == 0) return;
  is_queued_[c] = true;
  queue_.push_back(c);
}

void Domains::clear_queue() {
  for (const Cell c : queue_) is_queued_[c] = false;
  queue_.clear();
}

bool Domains::propagate() {
  bool is_possible = true;
  forward_ = 0;
  while (is_possible && !queue_.empty()) {
    const Cell c = queue_.back();
    queue_.pop_back();
    is_queued_[c] = false;
    is_possible = revise(c);
  }
  clear_queue();
  for (const Cell c : changed_) changes_[c] = 0;
  changed_.clear();
  return is_possible;
}

void Domains::settle() {
  INVARIANT(level() == 0, "what was decided should not be settled");
  for (const Change& change : trail_) {
    latest_[change.cell] = kRoot;
    roots_[change.cell] = domains_[change.cell];
  }
  trail_.clear();
}

bool Domains::revise(Cell c) {
  const Data& data = cells_[c];
  Parts parts{};
  for (unsigned i = 0; i < data.arity; ++i) parts[i] = &domains_[data.operand[i]];
  parts[kResult] = &domains_[c];
  if (!narrow(c, implied(terms_, data.term, kResult, parts), c, kResult)) return false;
  // A Boolean that is open says nothing about its operands.
  if (data.width == 1 && data.op != term::Op::Ite && !domains_[c].is_single()) return true;
  for (unsigned i = 0; i < data.arity; ++i) {
    if (terms_.is_constant(cells_[data.operand[i]].term)) continue;
    const Cell operand = data.operand[i];
    if (!narrow(operand, implied(terms_, data.term, i, parts), c, i)) return false;
  }
  if (data.op == term::Op::Ite && domains_[data.operand[0]].is_single())
    activate(data.operand[domains_[data.operand[0]].is_true() ? 1 : 2]);
  return true;
}

bool Domains::narrow(Cell c, const std::optional<Range>& range, Cell cause, std::uint32_t part) {
  const Range before = domains_[c];
  if (range && is_within(before, *range)) return true;
  const std::optional<Range> now = range ? intersected(cells_[c].width, before, *range) : std::nullopt;
  if (!now) {
    conflict_ = {c, cause, part, level(), latest_[c], before};
    return false;
  }
  if (*now == before) return true;
  if (part == kResult && cause < kImplied && cells_[c].width > 1 && ++forward_ > kMostForward) return true;
  if (changes_[c] == 0) changed_.push_back(c);
  if (changes_[c] >= kMostChanges && !now->is_single() && cause != kImplied) return true;
  if (changes_[c] < kMostChanges) ++changes_[c];
  trail_.push_back({c, cause, part, level(), latest_[c], before});
  latest_[c] = static_cast<Mark>(trail_.size() - 1);
  domains_[c] = *now;
  wake(c);
  return true;
}

}  // namespace plumb::paths
