#include "concolic/search/worker.h"

#include <algorithm>
#include <map>

#include "result/campaign/compact.h"
#include "term/traverse.h"

namespace plumb::concolic {

namespace {

std::size_t weight(const Trace& trace) {
  return 1 + trace.nodes.size() + trace.alternatives.size() + trace.inputs.size();
}

/// The regions that stand in a query for the candidate.
std::vector<RegionCount> regions_of(const Trace& trace, const Candidate& candidate) {
  std::map<std::uint32_t, std::uint32_t> visits;
  for (std::uint32_t i = 0; i <= candidate.node; ++i)
    if (trace.nodes[i].kind == PathNode::Kind::Region) ++visits[trace.nodes[i].site];
  std::vector<RegionCount> counts;
  for (const auto& [region, count] : visits) counts.push_back({region, count});
  return counts;
}

/// The edge inside of a region that a run of the candidate is about.
Via via_of(const Candidate& candidate) {
  const bool is_inner = candidate.kind == Alternative::Kind::InnerEdge && !candidate.is_escape;
  if (candidate.via || !is_inner) return candidate.via;
  return {candidate.node, candidate.index, candidate.edge};
}

/// The run goes the way of the shorter one.
bool goes_on_from(const Trace& trace, const Origin& shorter) {
  if (shorter.node_count == 0) return true;
  return trace.nodes.size() >= shorter.node_count && trace.nodes[shorter.node_count - 1].prefix == shorter.prefix;
}

}  // namespace

Worker::Worker(const SearchOptions& options, const SearchParts& parts, Campaign& campaign, const Budget& budget)
    : options_(options), parts_(parts), campaign_(campaign), budget_(budget), target_(parts.make_target()) {}

void Worker::work() {
  while (const auto job = campaign_.take()) {
    execute(*job);
    campaign_.done();
    start_anew_if_full();
  }
}

void Worker::execute(const Job& job) {
  switch (job.kind) {
    case Job::Kind::Start:
      run(job.inputs, job.random_seed,
          {.tree = job.tree, .candidate = nullptr, .earlier = job.earlier, .shorter = nullptr});
      break;
    case Job::Kind::Extend:
      run(job.origin->unpacked_inputs(), job.origin->random_seed,
          {.tree = job.tree, .candidate = nullptr, .earlier = 0, .shorter = job.origin.get()});
      break;
    case Job::Kind::Solve:
      solve(job.candidate);
      break;
  }
}

void Worker::solve(const Candidate& candidate) {
  term::TermStore& store = target_->store();
  std::vector<term::Term> elsewhere;
  for (const auto& sibling : candidate.siblings) {
    const Trace* other = trace_of(*sibling, candidate);
    if (other == nullptr) return;
    elsewhere.push_back(store.bit_not(other->nodes[candidate.node].condition));
  }
  const Trace* trace = trace_of(*candidate.origin, candidate);
  if (trace == nullptr) return;
  auto query = query_of(store, *trace, candidate);
  if (query.empty()) return;  // an edge inside of a region that was covered meanwhile
  const term::Term asked = query.back();
  query.insert(query.end(), elsewhere.begin(), elsewhere.end());
  if (refutations_.refute(query, asked)) {
    campaign_.answered({candidate, solve::Answer::Unsat, 0, regions_of(*trace, candidate)});
    return;
  }
  if (!solver_) solver_ = parts_.make_solver(store);
  const auto start = Budget::Clock::now();
  const solve::Result result = solver_->check(query, budget_.with_timeout(campaign_.query_time(candidate)));
  const double seconds = std::chrono::duration<double>(Budget::Clock::now() - start).count();
  campaign_.answered({candidate, result.answer, seconds, regions_of(*trace, candidate)});
  if (result.answer == solve::Answer::Unsat) refutations_.add(solver_->failed_assumptions(), asked);
  if (result.answer != solve::Answer::Sat) return;
  term::Assignment model = complete_model(query);
  prefer_near(query, near_of(*trace, candidate), model);
  const auto inputs = target_->inputs_of(*trace, model);
  // 0 would stand for zeros.
  run(inputs, mix(options_.seed, candidate.key) | 1,
      {.tree = candidate.origin->tree, .candidate = &candidate, .earlier = 0, .shorter = nullptr});
}

/// Only once there is an answer: most violations have none, and those take one question.
void Worker::prefer_near(std::vector<term::Term>& query, term::Term near, term::Assignment& model) {
  if (!near || target_->store().is_true(near)) return;
  query.push_back(near);
  const solve::Result result = solver_->check(query, budget_.with_timeout(parts_.limits.first_query_time));
  if (result.answer == solve::Answer::Sat) model = complete_model(query);
  query.pop_back();
}

term::Assignment Worker::complete_model(std::span<const term::Term> query) {
  // A variable that the model leaves out counts as zero, whereas one that the query leaves out keeps its value.
  const term::TermStore& store = target_->store();
  term::Assignment model = solver_->model();
  for (const term::Term condition : query) {
    const auto [it, is_new] = variables_.try_emplace(condition);
    if (is_new) it->second = term::support(store, std::span(&condition, 1), seen_);
    for (const term::Term v : it->second) model.try_emplace(v, term::zero_value(store.sort(v)));
  }
  return model;
}

void Worker::run(std::span<const result::TestInput> inputs, std::uint64_t random_seed, const Reason& reason) {
  const Candidate* candidate = reason.candidate;
  auto origin = std::make_shared<Origin>();
  origin->tree = reason.tree;
  origin->modes = campaign_.modes(reason.tree);
  origin->max_nodes = campaign_.depth(reason.tree);
  origin->random_seed = random_seed;
  TargetRun run = target_->run(
      {.inputs = inputs, .random_seed = random_seed, .modes = origin->modes->bytes, .max_nodes = origin->max_nodes},
      budget_);
  const bool can_tell = run.trace.is_complete || run.trace.inputs.size() >= inputs.size();
  const std::span<const result::TestInput> read =
      can_tell ? std::span<const result::TestInput>(run.trace.inputs) : inputs;
  origin->inputs = result::pack_inputs(read);
  origin->node_count = static_cast<std::uint32_t>(run.trace.nodes.size());
  origin->prefix = run.trace.nodes.empty() ? 0 : run.trace.nodes.back().prefix;
  const Origin* before = candidate != nullptr ? candidate->origin.get() : reason.shorter;
  const bool is_comparable = before != nullptr && before->modes->epoch == origin->modes->epoch;
  const bool has_followed =
      is_comparable && (candidate != nullptr ? follows(run, *candidate) : goes_on_from(run.trace, *before));
  if (has_followed && run.end == RunEnd::AssumeFailed)
    origin->via = candidate != nullptr ? via_of(*candidate) : before->via;
  note_region_costs(run.trace);
  campaign_.ran({run, origin, read, candidate, is_comparable && !has_followed, reason.earlier,
                 reason.shorter != nullptr ? reason.shorter->number : 0});
  // The ways that leave before the flip were found in the run that the candidate came from.
  const std::size_t first = has_followed && candidate != nullptr ? candidate->node : 0;
  Enumeration enumeration = enumerate(run.trace, origin, first, options_.max_loop, campaign_.covered());
  if (origin->via) {
    const auto more = enumerate_via(enumeration.candidates, origin->via);
    enumeration.candidates.insert(enumeration.candidates.end(), more.begin(), more.end());
  }
  campaign_.found(std::move(enumeration), reason.tree);
  keep(origin->number, std::move(run.trace));
}

const Trace* Worker::trace_of(const Origin& origin, const Candidate& candidate) {
  if (const auto it = by_run_.find(origin.number); it != by_run_.end()) {
    recent_.splice(recent_.begin(), recent_, it->second);
    return &it->second->trace;
  }
  const auto inputs = origin.unpacked_inputs();
  TargetRun run = target_->run({.inputs = inputs,
                                .random_seed = origin.random_seed,
                                .modes = origin.modes->bytes,
                                .max_nodes = origin.max_nodes},
                               budget_);
  const bool is_same = reaches(run.trace, candidate);
  campaign_.reran(origin.tree, run.seconds, !is_same);
  if (!is_same) return nullptr;
  return &keep(origin.number, std::move(run.trace));
}

const Trace& Worker::keep(std::uint64_t run, Trace trace) {
  cached_nodes_ += weight(trace);
  recent_.push_front({run, std::move(trace)});
  by_run_[run] = recent_.begin();
  while (cached_nodes_ > parts_.limits.max_cached_nodes && recent_.size() > 1) {
    cached_nodes_ -= weight(recent_.back().trace);
    by_run_.erase(recent_.back().run);
    recent_.pop_back();
  }
  return recent_.front().trace;
}

void Worker::note_region_costs(const Trace& trace) {
  if (trace.region_visits == 0) return;
  const auto now = target_->region_costs();
  costs_.resize(now.size());
  for (std::uint32_t i = 0; i < now.size(); ++i) {
    if (now[i].visits == costs_[i].visits) continue;
    campaign_.instantiated(i, now[i].visits - costs_[i].visits, now[i].terms - costs_[i].terms);
    costs_[i] = now[i];
  }
}

void Worker::start_anew_if_full() {
  if (target_->store().size() <= parts_.limits.max_terms) return;
  solver_.reset();
  recent_.clear();
  by_run_.clear();
  cached_nodes_ = 0;
  costs_.clear();
  variables_.clear();
  refutations_.clear();
  seen_ = {};
  target_->reset();
}

}  // namespace plumb::concolic
