#include "explore/choices.h"

#include <algorithm>

#include "base/error.h"

namespace plumb::explore {
namespace {

/// For one question; a way whose question is not answered is taken.
constexpr double kSecondsPerQuestion = 10;
/// Answers that are kept.
constexpr std::size_t kMaxKnown = 1U << 18;

}  // namespace

Choices::Choices(TermStore& terms, std::uint64_t seed, const Budget& budget) : terms_(terms), budget_(budget) {
  solver_options_.seed = seed;
  solver_options_.memory_limited = budget.memory_limit().has_value();
  solver_ = solve::make_solver(terms, "native", solver_options_);
}

void Choices::begin(std::vector<Term> constraints, Script script) {
  constraints_ = std::move(constraints);
  script_ = std::move(script);
  counts_.assign(script_.size(), 0);
  position_ = 0;
  has_learnt_ = false;
  inputs_.clear();
  used_.clear();
}

std::uint32_t Choices::choose(std::uint32_t count) {
  INVARIANT(count > 0, "a choice should have a way to take");
  if (position_ == script_.size()) {
    script_.push_back(0);
    counts_.push_back(0);
  }
  counts_[position_] = count;
  INVARIANT(script_[position_] < count, "a step should have the same choices each time it is made");
  return script_[position_++];
}

bool Choices::decide(Term condition) {
  if (terms_.is_constant(condition)) return terms_.is_true(condition);
  const Term negated = terms_.bit_not(condition);
  const bool can_hold = is_possible(condition);
  const bool can_fail = !can_hold || is_possible(negated);
  if (can_hold && !can_fail) return true;
  if (!can_hold) return false;
  const bool holds = choose(2) == 0;
  learn(holds ? condition : negated);
  return holds;
}

bool Choices::is_possible(Term condition) {
  if (terms_.is_constant(condition)) return terms_.is_true(condition);
  std::vector<Term> all = constraints_;
  all.push_back(condition);
  return ask(std::move(all)) != solve::Answer::Unsat;
}

bool Choices::are_possible(std::vector<Term> conditions) { return ask(std::move(conditions)) != solve::Answer::Unsat; }

void Choices::learn(Term condition) {
  if (terms_.is_true(condition) || std::ranges::find(constraints_, condition) != constraints_.end()) return;
  constraints_.push_back(condition);
  has_learnt_ = true;
}

solve::Answer Choices::ask(std::vector<Term> all) {
  std::ranges::sort(all);
  if (const auto found = known_.find(all); found != known_.end())
    return found->second ? solve::Answer::Sat : solve::Answer::Unsat;
  budget_.check();
  ++queries_;
  const solve::Result result =
      solver_->check(all, budget_.with_timeout(std::chrono::duration<double>(kSecondsPerQuestion)));
  if (result.answer == solve::Answer::Unknown) budget_.check();
  // What was not answered is kept as possible: a step that is made again has the same ways.
  if (known_.size() >= kMaxKnown) known_.clear();
  known_.emplace(std::move(all), result.answer != solve::Answer::Unsat);
  return result.answer;
}

std::optional<BitVector> Choices::example(Term t, std::span<const Term> except) {
  std::vector<Term> all = constraints_;
  all.insert(all.end(), except.begin(), except.end());
  budget_.check();
  ++queries_;
  const solve::Result result =
      solver_->check(all, budget_.with_timeout(std::chrono::duration<double>(kSecondsPerQuestion)));
  if (result.answer == solve::Answer::Unknown) budget_.check();
  if (result.answer != solve::Answer::Sat) return std::nullopt;
  term::Evaluator evaluator(terms_, solver_->model());
  return evaluator.bits(t);
}

Term Choices::fresh(std::uint32_t width, std::string_view name, bool is_asked) {
  std::vector<Term>& pool = scratch_[width];
  std::size_t& used = used_[width];
  if (used == pool.size()) pool.push_back(terms_.variable(width, "new"));
  const Term made = pool[used++];
  inputs_.push_back({std::string(name), made, is_asked});
  return made;
}

std::vector<Term> Choices::selectors(std::size_t count) {
  while (selectors_.size() < count) selectors_.push_back(terms_.variable(1, "way"));
  return {selectors_.begin(), selectors_.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::optional<Choices::Script> Choices::next() const {
  Script script = script_;
  while (!script.empty()) {
    if (script.back() + 1 < counts_[script.size() - 1]) {
      ++script.back();
      return script;
    }
    script.pop_back();
  }
  return std::nullopt;
}

}  // namespace plumb::explore
