#include "solve/solver.h"

#include <new>

#include "base/error.h"
#include "term/evaluator.h"

namespace plumb::solve {
namespace {

using term::Term;

bool has_sort(const term::Value& value, term::Sort sort) {
  if (const auto* bits = std::get_if<BitVector>(&value)) return !sort.is_array() && bits->width() == sort.width;
  const auto& array = std::get<term::ArrayValue>(value);
  if (array.index_width != sort.index_width || array.otherwise.width() != sort.width) return false;
  for (const auto& [index, element] : array.elements)
    if (index.width() != sort.index_width || element.width() != sort.width) return false;
  return true;
}

bool is_subsequence(std::span<const Term> part, std::span<const Term> whole) {
  std::size_t found = 0;
  for (const Term t : whole)
    if (found < part.size() && part[found] == t) ++found;
  return found == part.size();
}

}  // namespace

std::string_view to_string(Answer answer) {
  switch (answer) {
    case Answer::Sat:
      return "sat";
    case Answer::Unsat:
      return "unsat";
    case Answer::Unknown:
      return "unknown";
  }
  return "unknown";
}

void Solver::verify_model(std::span<const Term> assumptions) {
  for (const auto& [variable, value] : model_) {
    INVARIANT(store_.is_variable(variable), "a model should give values to variables only");
    INVARIANT(has_sort(value, store_.sort(variable)), "a value in a model should have the sort of its variable");
  }
  evaluator_.clear();
  for (const Term t : assertions_) INVARIANT(evaluator_.is_true(t), "a model should satisfy every assertion");
  for (const Term t : assumptions) INVARIANT(evaluator_.is_true(t), "a model should satisfy every assumption");
}

void Solver::assert_true(Term t) {
  INVARIANT(t && store_.sort(t) == term::Sort{}, "an assertion should be a term of width 1");
  assertions_.push_back(t);
}

void Solver::push() { scopes_.push_back(assertions_.size()); }

void Solver::pop(std::size_t n) {
  INVARIANT(n <= scopes_.size(), "pop should not leave more scopes than were entered");
  if (n == 0) return;
  const std::size_t kept = scopes_[scopes_.size() - n];
  scopes_.resize(scopes_.size() - n);
  assertions_.resize(kept);
  popped(kept);
}

Result Solver::check(std::span<const Term> assumptions, const Budget& budget) {
  for (const Term t : assumptions)
    INVARIANT(t && store_.sort(t) == term::Sort{}, "an assumption should be a term of width 1");
  model_.clear();
  failed_.clear();
  Result result;
  try {
    budget.check();
    result = decide(assumptions, budget);
    if (result.answer == Answer::Sat) verify_model(assumptions);
  } catch (const OutOfBudget& out) {
    result = Result::unknown(std::string(to_string(out.stop)));
  } catch (const std::bad_alloc&) {
    result = Result::unknown(std::string(to_string(Stop::Memory)));
  }
  if (result.answer != Answer::Sat) model_.clear();
  if (result.answer != Answer::Unsat) failed_.clear();
  INVARIANT(is_subsequence(failed_, assumptions), "failed assumptions should be assumptions in their order");
  INVARIANT(result.answer != Answer::Unknown || !result.reason.empty(), "an unknown answer should have a reason");
  return result;
}

}  // namespace plumb::solve
