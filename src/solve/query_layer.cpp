#include "solve/query_layer.h"

#include <algorithm>
#include <numeric>

#include "term/evaluator.h"

namespace plumb::solve {

using term::Assignment;
using term::Op;
using term::Term;

namespace {

constexpr std::size_t kCandidates = 6;
/// The tables start anew when they reach this many parts, so that a long campaign does not fill the memory.
constexpr std::size_t kMaxKnown = 200'000;

}  // namespace

/// A model that may satisfy the next query too, with the values of all terms evaluated in it so far.
struct QueryLayer::Candidate {
  explicit Candidate(const term::TermStore& store) : evaluator(store, model) {}
  void set(Assignment m) {
    model = std::move(m);
    evaluator.clear();
  }
  Assignment model;
  term::Evaluator evaluator;
};

QueryLayer::QueryLayer(std::unique_ptr<Solver> inner) : Solver(inner->store()), inner_(std::move(inner)) {}
QueryLayer::~QueryLayer() = default;

const QueryLayer::Part& QueryLayer::conjuncts(Term constraint) {
  auto& entry = conjuncts_[constraint];
  if (entry) return *entry;
  entry = std::make_unique<Part>();
  std::vector<Term> work{constraint};
  seen_.clear();
  while (!work.empty()) {
    const Term t = work.back();
    work.pop_back();
    if (seen_.contains(t)) continue;
    seen_[t] = {};
    if (store().op(t) == Op::And) {
      work.push_back(store().child(t, 0));
      work.push_back(store().child(t, 1));
    } else {
      entry->push_back(t);
    }
  }
  return *entry;
}

QueryLayer::Part QueryLayer::constraints_of(std::span<const Term> assumptions) {
  Part constraints;
  in_part_.clear();
  for (const auto source : {assertions(), assumptions})
    for (const Term t : source)
      for (const Term c : conjuncts(t))
        if (!store().is_true(c) && !in_part_.contains(c)) {
          in_part_[c] = {};
          constraints.push_back(c);
        }
  return constraints;
}

// One walk over the terms of the whole query: constraints that meet in a term have its variables in common. What hangs
// below a term was walked when it was first met, so constraints that grow upon each other cost what is new in each.
std::vector<QueryLayer::Part> QueryLayer::split(std::span<const Term> assumptions) {
  const Part constraints = constraints_of(assumptions);
  std::vector<std::uint32_t> leader(constraints.size());
  std::iota(leader.begin(), leader.end(), 0U);
  const auto find = [&](std::uint32_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  owner_.clear();
  std::vector<Term> work;
  for (std::uint32_t i = 0; i < constraints.size(); ++i) {
    work.push_back(constraints[i]);
    while (!work.empty()) {
      const Term t = work.back();
      work.pop_back();
      if (store().is_constant(t)) continue;
      if (const std::uint32_t* owner = owner_.find(t)) {
        leader[find(*owner)] = find(i);
        continue;
      }
      owner_[t] = i;
      for (unsigned k = store().arity(t); k-- > 0;) work.push_back(store().child(t, k));
    }
  }
  // The part with the newest constraint first: it is the one that may have become unsatisfiable.
  std::vector<Part> parts;
  absl::flat_hash_map<std::uint32_t, std::size_t> places;
  for (auto i = static_cast<std::uint32_t>(constraints.size()); i-- > 0;) {
    const auto [it, is_new] = places.try_emplace(find(i), parts.size());
    if (is_new) parts.emplace_back();
    parts[it->second].push_back(constraints[i]);
  }
  for (Part& part : parts) std::sort(part.begin(), part.end());
  return parts;
}

const QueryLayer::Part* QueryLayer::known_core(const Part& part) {
  in_part_.clear();
  for (const Term c : part) in_part_[c] = {};
  for (const Term c : part) {
    const auto it = cores_.find(c);
    if (it == cores_.end()) continue;
    for (const Part& core : it->second)
      if (std::all_of(core.begin(), core.end(), [&](Term t) { return in_part_.contains(t); })) return &core;
  }
  return nullptr;
}

bool QueryLayer::holds_in(Candidate& candidate, const Part& part) {
  return std::all_of(part.rbegin(), part.rend(), [&](Term c) { return candidate.evaluator.is_true(c); });
}

Assignment QueryLayer::restricted(const Assignment& model, const Part& part) {
  Assignment result;
  for (const Term v : term::support(store(), part, seen_))
    if (const auto it = model.find(v); it != model.end()) result.emplace(v, it->second);
  return result;
}

void QueryLayer::take_model(const Assignment& part_model) {
  for (const auto& [variable, value] : part_model) model_.insert_or_assign(variable, value);
}

void QueryLayer::remember(const Part& part, Known known) {
  if (known_.size() >= kMaxKnown) {
    known_.clear();
    cores_.clear();
    conjuncts_.clear();
  }
  if (!known.model) cores_[known.core.back()].push_back(known.core);
  known_.insert_or_assign(part, std::move(known));
}

Result QueryLayer::decide_part(const Part& part, const Budget& budget) {
  ++counts_.parts;
  if (const auto it = known_.find(part); it != known_.end()) {
    ++counts_.same;
    core_ = it->second.core;
    if (!it->second.model) return Result::unsat();
    take_model(*it->second.model);
    return Result::sat();
  }
  if (const Part* core = known_core(part)) {
    ++counts_.subset;
    core_ = *core;
    return Result::unsat();
  }
  for (auto& candidate : candidates_) {
    if (!holds_in(*candidate, part)) continue;
    ++counts_.models;
    take_model(restricted(candidate->model, part));
    return Result::sat();
  }
  ++counts_.searches;
  const Result result = inner_->check(part, budget);
  if (result.answer == Answer::Sat) {
    auto model = std::make_shared<Assignment>(restricted(inner_->model(), part));
    take_model(*model);
    remember(part, {std::move(model), {}});
    // The newest candidate, changed where this part says so, is what the whole query will probably get.
    Assignment merged = candidates_.empty() ? Assignment{} : candidates_.front()->model;
    for (const auto& [variable, value] : inner_->model()) merged.insert_or_assign(variable, value);
    // The oldest one makes room: an evaluator's memory is as large as the store, so it is used again.
    std::unique_ptr<Candidate> newest;
    if (candidates_.size() < kCandidates) {
      newest = std::make_unique<Candidate>(store());
    } else {
      newest = std::move(candidates_.back());
      candidates_.pop_back();
    }
    newest->set(std::move(merged));
    candidates_.push_front(std::move(newest));
  } else if (result.answer == Answer::Unsat) {
    core_ = inner_->failed_assumptions().empty() ? part : inner_->failed_assumptions();
    remember(part, {nullptr, core_});
  }
  return result;
}

void QueryLayer::report_failed(std::span<const Term> assumptions, const Part& core) {
  in_part_.clear();
  for (const Term c : core) in_part_[c] = {};
  for (const Term t : assumptions) {
    if (std::ranges::any_of(conjuncts(t), [&](Term c) { return in_part_.contains(c); })) failed_.push_back(t);
  }
}

Result QueryLayer::decide(std::span<const Term> assumptions, const Budget& budget) {
  Result unknown;
  bool all_known = true;
  for (const Part& part : split(assumptions)) {
    const Result result = decide_part(part, budget);
    if (result.answer == Answer::Unsat) {
      report_failed(assumptions, core_);
      model_.clear();
      return result;
    }
    if (result.answer == Answer::Unknown) {
      unknown = result;
      all_known = false;
    }
  }
  if (all_known) return Result::sat();
  model_.clear();
  return unknown;
}

std::vector<std::pair<std::string, double>> QueryLayer::statistics() const {
  std::vector<std::pair<std::string, double>> all = {{"query-parts", static_cast<double>(counts_.parts)},
                                                     {"answered-by-same-part", static_cast<double>(counts_.same)},
                                                     {"answered-by-unsat-subset", static_cast<double>(counts_.subset)},
                                                     {"answered-by-model", static_cast<double>(counts_.models)},
                                                     {"searches", static_cast<double>(counts_.searches)}};
  const auto inner = inner_->statistics();
  all.insert(all.end(), inner.begin(), inner.end());
  return all;
}

}  // namespace plumb::solve
