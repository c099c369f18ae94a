// A state stands for all lists of values that some assignment of its variables gives. That each list of one is a list
// of another is a question with quantifiers. Most of the time it needs none: where the other's values are variables,
// the one's values are the only candidates for them, and what is left is whether they fulfil what is known of those.
// Where variables are left for which there is no candidate, candidates are guessed from counterexamples: a valuation
// that no candidate covers either has one, which is tried for all others, or shows that there is none.

#include "explore/subsumption.h"

#include <algorithm>
#include <array>

#include "term/evaluator.h"
#include "term/substitution.h"
#include "term/traverse.h"

namespace plumb::explore {
namespace {

constexpr double kSecondsPerQuestion = 2;
/// Candidates for variables that have none of their own.
constexpr int kMaxCandidates = 32;

}  // namespace

Subsumption::Subsumption(TermStore& terms, Algorithm algorithm, std::uint64_t seed, const Budget& budget)
    : terms_(terms), algorithm_(algorithm), budget_(budget) {
  solve::SolverOptions options;
  options.seed = seed;
  options.memory_limited = budget.memory_limit().has_value();
  solver_ = solve::make_solver(terms, "native", options);
}

bool Subsumption::is_subset(const Store::Data& part, const Store::Data& whole) {
  if (part.values.size() != whole.values.size()) return false;
  for (std::size_t i = 0; i < part.values.size(); ++i)
    if (terms_.sort(part.values[i]) != terms_.sort(whole.values[i])) return false;
  std::vector<Term> open;
  const Term claim = membership(part, whole, open);
  if (open.empty()) return always_holds(part.constraints, claim);
  return algorithm_ == Algorithm::Reachability && some_open_fits(part.constraints, claim, open);
}

Term Subsumption::membership(const Store::Data& part, const Store::Data& whole, std::vector<Term>& open) {
  absl::flat_hash_map<Term, Term> meant;
  for (std::size_t i = 0; i < whole.values.size(); ++i)
    if (terms_.is_variable(whole.values[i])) meant.try_emplace(whole.values[i], part.values[i]);
  absl::flat_hash_map<std::uint32_t, std::size_t> used;
  term::TermSet seen;
  const auto visit = [&](Term t) {
    if (!terms_.is_variable(t) || meant.contains(t)) return;
    std::vector<Term>& pool = pool_[terms_.width(t)];
    std::size_t& next = used[terms_.width(t)];
    if (next == pool.size()) pool.push_back(terms_.variable(terms_.width(t), "open"));
    open.push_back(pool[next]);
    meant.emplace(t, pool[next++]);
  };
  term::post_order(terms_, whole.values, seen, visit);
  term::post_order(terms_, whole.constraints, seen, visit);
  term::Substitution candidates(terms_);
  for (const auto& [variable, value] : meant) candidates.add(variable, value);
  std::vector<Term> all;
  for (std::size_t i = 0; i < whole.values.size(); ++i)
    all.push_back(terms_.eq(candidates.apply(whole.values[i]), part.values[i]));
  for (const Term constraint : whole.constraints) {
    const Term now = candidates.apply(constraint);
    if (!std::ranges::binary_search(part.constraints, now)) all.push_back(now);
  }
  return terms_.all_of(all);
}

solve::Answer Subsumption::ask(const std::vector<Term>& assertions) {
  ++queries_;
  return solver_->check(assertions, budget_.with_timeout(std::chrono::duration<double>(kSecondsPerQuestion))).answer;
}

bool Subsumption::always_holds(const std::vector<Term>& known, Term claim) {
  if (terms_.is_constant(claim)) return terms_.is_true(claim);
  std::vector<Term> asked = known;
  asked.push_back(terms_.bit_not(claim));
  return ask(asked) == solve::Answer::Unsat;
}

bool Subsumption::some_open_fits(const std::vector<Term>& known, Term claim, const std::vector<Term>& open) {
  std::vector<Term> uncovered = known;
  for (int candidate = 0; candidate < kMaxCandidates; ++candidate) {
    const solve::Answer left = ask(uncovered);
    if (left != solve::Answer::Sat) return left == solve::Answer::Unsat;
    term::Evaluator valuation(terms_, solver_->model());
    term::Substitution fixed(terms_);
    term::TermSet seen;
    term::post_order(terms_, std::span(&claim, 1), seen, [&](Term t) {
      if (terms_.is_variable(t) && std::ranges::find(open, t) == open.end())
        fixed.add(t, terms_.constant(valuation.bits(t)));
    });
    const Term about_open = fixed.apply(claim);
    if (ask({about_open}) != solve::Answer::Sat) return false;
    term::Evaluator fitting(terms_, solver_->model());
    term::Substitution chosen(terms_);
    for (const Term t : open) chosen.add(t, terms_.constant(fitting.bits(t)));
    uncovered.push_back(terms_.bit_not(chosen.apply(claim)));
  }
  return false;
}

}  // namespace plumb::explore
