#include "concolic/search/worklist.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace plumb::concolic {

using instrument::Site;

namespace {

/// Attempts at a violation before it waits for its turn like all others.
constexpr std::uint32_t kUrgentAttempts = 8;
/// Other values of one pin, other targets of one call that are tried: there may be no end of them.
constexpr std::size_t kMaxPlaces = 32;
constexpr std::uint32_t kUrgentTurn = 4;
constexpr std::uint32_t kDefectTurn = 3;
/// Attempts at a defect before it has no turns of its own any more, and before it keeps a search from its end no more.
constexpr std::uint32_t kFirstAttempts = 8;
constexpr std::uint32_t kEnoughAttempts = 64;
constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Worklist::Worklist(const Subject& subject, Strategy strategy, std::uint64_t seed, std::span<const std::uint8_t> covered,
                   const SearchLimits& limits)
    : subject_(subject),
      covered_(covered),
      limits_(limits),
      distances_(subject),
      strategy_(make_strategy(strategy, subject, distances_, seed)),
      is_depth_first_(strategy == Strategy::DepthFirst) {
  is_counted_.resize(subject.edge_count);
  for (const Site& site : subject_.sites)
    for (std::uint32_t i = 0; i < site.edge_count; ++i) is_counted_[site.first_edge + i] = site.is_counted;
  distances_.set_covered(covered_);
  refuted_edges_.resize(subject.edge_count);
}

void Worklist::restore(const result::StoredSearch& earlier) {
  known_.insert(earlier.run_ones.begin(), earlier.run_ones.end());
  refuted_.insert(earlier.refuted.begin(), earlier.refuted.end());
  for (const std::uint64_t target : earlier.settled) {
    violations_[target].is_settled = true;
    violation_order_.push_back(target);
    defects_.settle(target);
  }
}

void Worklist::refuted(const Candidate& candidate) {
  refuted_.insert(candidate.key);
  if (candidate.edge < refuted_edges_.size() && !candidate.is_escape && !candidate.via)
    refuted_edges_[candidate.edge] = true;
}

std::vector<bool> Worklist::open_edges() const {
  std::vector<bool> edges(refuted_edges_.size());
  const auto add = [&](const Candidate& candidate) {
    if (candidate.edge < edges.size()) edges[candidate.edge] = true;
  };
  for (const auto& [id, candidate] : table_) add(candidate);
  for (const Candidate& candidate : retries_) add(candidate);
  return edges;
}

bool Worklist::is_worth(const Candidate& candidate) const {
  if (candidate.is_escape) return true;
  if (candidate.via && covered_[candidate.via.edge] != 0) return false;
  if (candidate.kind == Alternative::Kind::InnerEdge)
    return candidate.edge < covered_.size() && is_counted_[candidate.edge] && covered_[candidate.edge] == 0;
  if (candidate.kind == Alternative::Kind::Violation && !candidate.is_defect()) {
    const auto it = violations_.find(candidate.target);
    if (it == violations_.end() || !it->second.is_settled || candidate.via) return true;
    // The error is known, but a run that ends in it counts, and may be the only one on this way that does.
    return std::ranges::any_of(candidate.origin->uncounted, [&](EdgeId edge) { return covered_[edge] == 0; });
  }
  return true;
}

bool Worklist::is_new(const Candidate& candidate) {
  if (!candidate.is_elsewhere()) {
    if (!refuted_.contains(candidate.key)) return known_.insert(candidate.key).second;
    refuted(candidate);
    return false;
  }
  Fork& fork = forks_[candidate.key];
  if (!fork.taken.insert(candidate.taken).second) return false;
  if (fork.runs.size() == kMaxPlaces) {
    has_dropped_ = true;
    return false;
  }
  fork.runs.push_back(candidate.origin);
  return !std::exchange(fork.is_waiting, true);
}

void Worklist::fill_siblings(Candidate& candidate) {
  Fork& fork = forks_[candidate.key];
  fork.is_waiting = false;
  for (const auto& run : fork.runs)
    if (run->number != candidate.origin->number) candidate.siblings.push_back(run);
}

void Worklist::add(Enumeration enumeration) {
  known_.insert(enumeration.taken.begin(), enumeration.taken.end());
  std::vector<CandidateId> added;
  for (Candidate& candidate : enumeration.candidates) {
    if (!is_worth(candidate) || !is_new(candidate)) continue;
    if (candidate.is_escape) {
      escapes_.push_back(std::move(candidate));
      continue;
    }
    const CandidateId id = next_id_++;
    if (candidate.is_defect()) {
      defects_.add(id, candidate);
      table_.emplace(id, std::move(candidate));
      ++added_since_compaction_;
      continue;
    }
    if (candidate.kind == Alternative::Kind::Violation) {
      const auto [it, is_new] = violations_.try_emplace(candidate.target);
      if (is_new) violation_order_.push_back(candidate.target);
      it->second.waiting.push_back(id);
    }
    table_.emplace(id, std::move(candidate));
    added.push_back(id);
  }
  strategy_->add(added, table_);
  added_since_compaction_ += added.size();
  make_room();
}

void Worklist::make_room() {
  if (table_.size() > limits_.max_candidates) {
    // Half of them, the deepest: their queries cost most, and a run that comes by the same way finds them again.
    std::vector<std::pair<std::uint32_t, CandidateId>> order;
    for (const auto& [id, candidate] : table_) order.emplace_back(candidate.node, id);
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
    std::nth_element(order.begin(), middle, order.end());
    for (auto it = middle; it != order.end(); ++it) {
      known_.erase(table_.at(it->second).key);
      table_.erase(it->second);
    }
    has_dropped_ = true;
    added_since_compaction_ = ~std::size_t{0};
  }
  if (added_since_compaction_ < 2 * table_.size() + 100'000) return;
  strategy_->compact(table_);
  defects_.compact(table_);
  for (auto& [target, violations] : violations_)
    std::erase_if(violations.waiting, [&](CandidateId id) { return !table_.contains(id); });
  added_since_compaction_ = 0;
}

std::optional<Candidate> Worklist::remove(CandidateId id) {
  const auto it = table_.find(id);
  Candidate candidate = std::move(it->second);
  table_.erase(it);
  if (!is_worth(candidate)) {
    // What is not worth a query never is again, so nothing needs to know it.
    known_.erase(candidate.key);
    return std::nullopt;
  }
  if (candidate.kind == Alternative::Kind::Violation && !candidate.is_defect())
    ++violations_[candidate.target].attempts;
  if (candidate.is_elsewhere()) fill_siblings(candidate);
  return candidate;
}

std::optional<Candidate> Worklist::take() {
  if (!is_depth_first_ && ++turn_ % kUrgentTurn == 0)
    if (auto candidate = take_urgent()) return candidate;
  const std::uint32_t defect_turn = ++defect_turn_;
  if (defect_turn % kDefectTurn == 0) {
    const bool is_for_all = defect_turn % (kDefectTurn * kDefectTurn) == 0;
    if (auto candidate = take_defect(is_for_all ? kNoLimit : kFirstAttempts)) return candidate;
  }
  while (const auto id = strategy_->pick(table_))
    if (auto candidate = remove(*id)) return candidate;
  return take_defect(kEnoughAttempts);
}

std::optional<Candidate> Worklist::take_defect(std::uint32_t max_attempts) {
  while (const auto id = defects_.pick(table_, max_attempts))
    if (auto candidate = remove(*id)) return candidate;
  return std::nullopt;
}

std::optional<Candidate> Worklist::take_defect() { return take_defect(kEnoughAttempts); }

std::optional<Candidate> Worklist::take_late_defect() {
  if (auto candidate = take_defect(kNoLimit)) return candidate;
  while (const auto id = defects_.pick_settled(table_))
    if (auto candidate = remove(*id)) return candidate;
  return std::nullopt;
}

bool Worklist::settle_defect(std::uint64_t target, bool is_shared, bool is_new) {
  return is_shared ? defects_.repeated(target, is_new) : defects_.settle(target);
}

void Worklist::ask_elsewhere(const Candidate& candidate, std::shared_ptr<const Origin> run) {
  if (candidate.siblings.size() == kMaxPlaces) {
    has_dropped_ = true;
    return;
  }
  Candidate again = candidate;
  again.siblings.push_back(std::move(run));
  const CandidateId id = next_id_++;
  defects_.add(id, again);
  table_.emplace(id, std::move(again));
}

std::optional<Candidate> Worklist::take_urgent() {
  for (const std::uint64_t target : violation_order_) {
    Violations& violations = violations_[target];
    if (violations.is_settled || violations.attempts >= kUrgentAttempts) continue;
    std::erase_if(violations.waiting, [&](CandidateId id) { return !table_.contains(id); });
    if (violations.waiting.empty()) continue;
    const auto best =
        std::min_element(violations.waiting.begin(), violations.waiting.end(), [&](CandidateId a, CandidateId b) {
          return std::pair(VisitRank(table_.at(a).visit), a) < std::pair(VisitRank(table_.at(b).visit), b);
        });
    return remove(*best);
  }
  return std::nullopt;
}

std::optional<Candidate> Worklist::take_escape() {
  if (escapes_.empty()) return std::nullopt;
  Candidate candidate = std::move(escapes_.front());
  escapes_.pop_front();
  fill_siblings(candidate);
  return candidate;
}

std::optional<Candidate> Worklist::take_retry() {
  while (!retries_.empty()) {
    Candidate candidate = std::move(retries_.front());
    retries_.pop_front();
    if (is_worth(candidate)) return candidate;
  }
  return std::nullopt;
}

void Worklist::restart() {
  known_.clear();
  forks_.clear();
}

}  // namespace plumb::concolic
