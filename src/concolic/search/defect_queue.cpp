#include "concolic/search/defect_queue.h"

#include <limits>

namespace plumb::concolic {

namespace {

/// Defects in a row that are known, of a place that several callers share.
constexpr std::uint32_t kMaxRepeats = 4;
/// Attempts that a hard one counts as besides itself.
constexpr std::uint32_t kHardAttempts = 7;

}  // namespace

DefectQueue::Goal& DefectQueue::goal(std::uint64_t target) {
  const auto [it, is_new] = places_.try_emplace(target, static_cast<std::uint32_t>(goals_.size()));
  if (is_new) goals_.emplace_back();
  return goals_[it->second];
}

void DefectQueue::delist(std::uint32_t index) {
  const Goal& goal = goals_[index];
  (goal.is_settled ? settled_ : open_).erase({goal.attempts, index});
}

void DefectQueue::enlist(std::uint32_t index) {
  const Goal& goal = goals_[index];
  if (!goal.waiting.empty()) (goal.is_settled ? settled_ : open_).insert({goal.attempts, index});
}

void DefectQueue::add(CandidateId id, const Candidate& candidate) {
  goal(candidate.target).waiting.push({VisitRank(candidate.visit), candidate.node, id});
  enlist(places_.at(candidate.target));
}

std::optional<CandidateId> DefectQueue::pick(Turns& turns, const CandidateTable& table, std::uint32_t max_attempts) {
  while (!turns.empty() && turns.begin()->attempts < max_attempts) {
    const std::uint32_t index = turns.begin()->goal;
    Goal& goal = goals_[index];
    delist(index);
    std::optional<CandidateId> found;
    while (!goal.waiting.empty() && !found) {
      if (table.contains(goal.waiting.top().id)) found = goal.waiting.top().id;
      goal.waiting.pop();
    }
    if (found) ++goal.attempts;
    enlist(index);
    if (found) return found;
  }
  return std::nullopt;
}

std::optional<CandidateId> DefectQueue::pick(const CandidateTable& table, std::uint32_t max_attempts) {
  return pick(open_, table, max_attempts);
}

std::optional<CandidateId> DefectQueue::pick_settled(const CandidateTable& table) {
  return pick(settled_, table, std::numeric_limits<std::uint32_t>::max());
}

void DefectQueue::was_hard(std::uint64_t target) {
  goal(target);
  const std::uint32_t index = places_.at(target);
  delist(index);
  goals_[index].attempts += kHardAttempts;
  enlist(index);
}

bool DefectQueue::settle(std::uint64_t target) {
  if (goal(target).is_settled) return false;
  const std::uint32_t index = places_.at(target);
  delist(index);
  goals_[index].is_settled = true;
  enlist(index);
  return true;
}

bool DefectQueue::repeated(std::uint64_t target, bool is_new) {
  Goal& it = goal(target);
  it.repeats = is_new ? 0 : it.repeats + 1;
  return it.repeats >= kMaxRepeats && settle(target);
}

bool DefectQueue::is_settled(std::uint64_t target) const {
  const auto it = places_.find(target);
  return it != places_.end() && goals_[it->second].is_settled;
}

void DefectQueue::compact(const CandidateTable& table) {
  for (std::uint32_t i = 0; i < goals_.size(); ++i) {
    delist(i);
    Waiting kept;
    for (Waiting& waiting = goals_[i].waiting; !waiting.empty(); waiting.pop())
      if (table.contains(waiting.top().id)) kept.push(waiting.top());
    goals_[i].waiting = std::move(kept);
    enlist(i);
  }
}

}  // namespace plumb::concolic
