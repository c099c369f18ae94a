// Branch and bound: the simplex method decides over the rationals; where a variable of its point is no integer, either
// the integer below or the one above bounds it. If no branch has a point, the reasons of all contradictions together
// have none, since the branches leave no integer out. Over the integers, a constraint is first divided by what its
// coefficients have in common and its bound rounded, which refutes many systems without a branch.

#include "solve/linear/linear_system.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/error.h"
#include "solve/linear/explained_interval.h"

namespace plumb::solve {
namespace {

constexpr std::uint32_t kBranch = std::numeric_limits<std::uint32_t>::max();

Wide magnitude(Wide a) { return a < 0 ? -a : a; }

Wide common_factor(std::span<const std::pair<unsigned, Wide>> terms) {
  Wide factor = 0;
  for (const auto& [variable, coefficient] : terms) {
    Wide other = magnitude(coefficient);
    while (other != 0) factor = std::exchange(other, factor % other);
  }
  return factor;
}

}  // namespace

void LinearSystem::add(Terms terms, Relation relation, Wide bound, std::uint32_t reason) {
  INVARIANT(reason != kBranch, "the greatest number should not be a reason");
  std::map<Variable, Wide> sums;
  for (const auto& [variable, coefficient] : terms) {
    INVARIANT(variable < variables_, "a term should have a variable of the system");
    sums[variable] += coefficient;
  }
  Constraint constraint{{}, relation, bound, reason};
  for (const auto& [variable, coefficient] : sums)
    if (coefficient != 0) constraint.terms.emplace_back(variable, coefficient);
  constraints_.push_back(std::move(constraint));
}

LinearSystem::Solution LinearSystem::relaxed(Domain domain, std::span<const Branch> branches,
                                             std::uint64_t max_steps) const {
  Simplex simplex;
  for (unsigned i = 0; i < variables_; ++i) simplex.add_variable();
  for (const Branch& branch : branches)
    if (branch.is_upper)
      simplex.bound_above(branch.variable, branch.bound, kBranch);
    else
      simplex.bound_below(branch.variable, branch.bound, kBranch);
  for (const Constraint& constraint : constraints_) {
    const Wide factor = domain == Domain::Integers ? common_factor(constraint.terms) : 0;
    std::vector<std::pair<Variable, Wide>> terms = constraint.terms;
    if (factor > 1)
      for (auto& [variable, coefficient] : terms) coefficient /= factor;
    const bool is_variable = terms.size() == 1 && terms[0].second == 1;
    const unsigned form = is_variable ? terms[0].first : simplex.add_form(terms);
    if (constraint.relation != Relation::AtMost)
      simplex.bound_below(form, factor > 1 ? ceil_div(constraint.bound, factor) : constraint.bound, constraint.reason);
    if (constraint.relation != Relation::AtLeast)
      simplex.bound_above(form, factor > 1 ? floor_div(constraint.bound, factor) : constraint.bound, constraint.reason);
  }
  Solution answer{simplex.check(max_steps), {}, {}};
  if (answer.outcome == Outcome::Feasible)
    for (unsigned i = 0; i < variables_; ++i) answer.point.push_back(simplex.value(i));
  if (answer.outcome == Outcome::Infeasible) answer.core = simplex.conflict();
  return answer;
}

LinearSystem::Solution LinearSystem::solve(Domain domain, const Limits& limits, const Budget& budget) const {
  std::vector<std::vector<Branch>> open{{}};
  std::vector<std::uint32_t> core;
  for (std::uint32_t count = 0; !open.empty(); ++count) {
    if (count > limits.branches || budget.exceeded()) return {};
    std::vector<Branch> branches = std::move(open.back());
    open.pop_back();
    Solution answer = relaxed(domain, branches, limits.steps);
    if (answer.outcome == Outcome::Unknown) return {};
    if (answer.outcome == Outcome::Infeasible) {
      core.insert(core.end(), answer.core.begin(), answer.core.end());
      continue;
    }
    const auto fraction =
        std::ranges::find_if(answer.point, [](const Rational& value) { return !(value == Rational(value.floor())); });
    if (domain == Domain::Rationals || fraction == answer.point.end()) return answer;
    const auto variable = static_cast<Variable>(fraction - answer.point.begin());
    const Wide below = fraction->floor();
    branches.push_back({variable, false, below + 1});
    open.push_back(branches);
    branches.back() = {variable, true, below};
    open.push_back(std::move(branches));
  }
  std::erase(core, kBranch);
  std::ranges::sort(core);
  core.erase(std::ranges::unique(core).begin(), core.end());
  return {Outcome::Infeasible, {}, std::move(core)};
}

}  // namespace plumb::solve
