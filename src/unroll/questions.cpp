#include "unroll/questions.h"

#include <array>
#include <vector>

#include "base/error.h"
#include "semantics/memory/concrete_bytes.h"
#include "solve/native/blast_solver.h"

namespace plumb::unroll {

namespace {

using Clock = std::chrono::steady_clock;

// What looking for impossible paths may cost: a part of all time, and a little at the start.
constexpr double kPartOnPaths = 0.4;
constexpr double kSecondsOnPaths = 1.0;
constexpr double kSecondsOnPath = 0.5;
constexpr double kSecondsAsInterpreted = 5.0;
constexpr double kSecondsTogether = 2.0;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Questions::Questions(World& world, const Budget& budget) : world_(world), budget_(budget) {
  solve::SolverOptions options;
  options.seed = world.options.seed;
  options.memory_limited = budget.memory_limit().has_value();
  paths_ = solve::make_solver(world.terms, "native", options);
  solver_ = std::make_unique<solve::BlastSolver>(world.terms, options);
}

bool Questions::is_possible(Term condition) {
  if (world_.terms.is_constant(condition)) return world_.terms.is_true(condition);
  if (seconds_on_paths_ > kSecondsOnPaths + kPartOnPaths * seconds_since(start_)) return true;
  const Clock::time_point start = Clock::now();
  const std::array<Term, 1> assumed{condition};
  ++count_;
  const solve::Result result =
      paths_->check(assumed, budget_.with_timeout(std::chrono::duration<double>(kSecondsOnPath)));
  seconds_on_paths_ += seconds_since(start);
  return result.answer != solve::Answer::Unsat;
}

std::optional<Questions::Reply> Questions::ask_as_interpreted(Term condition, const Record::Question& question,
                                                              const Budget& budget) {
  TermStore& terms = world_.terms;
  std::vector<Term> assumed{condition};
  for (const Term unknown : world_.unwritten.all()) {
    const std::vector<std::uint64_t> words((terms.width(unknown) + 63) / 64,
                                           ~std::uint64_t{0} / 0xFF * semantics::kUninitialised);
    const Term pattern = terms.constant(BitVector::from_words(terms.width(unknown), words));
    const term::Sort sort = terms.sort(unknown);
    assumed.push_back(terms.eq(unknown, sort.is_array() ? terms.constant_array(sort.index_width, pattern) : pattern));
  }
  if (assumed.size() == 1) return std::nullopt;
  ++count_;
  const solve::Result result =
      solver_->check(assumed, budget.with_timeout(std::chrono::duration<double>(kSecondsAsInterpreted)));
  if (result.answer != solve::Answer::Sat) return std::nullopt;
  return reply_of(terms, question, solver_->model());
}

solve::Result Questions::check_any(std::span<const Term> asked, const Budget& budget) {
  const std::array<Term, 1> assumed{world_.terms.any_of(asked)};
  ++count_;
  const solve::Result result = solver_->check(assumed, budget);
  if (result.answer == solve::Answer::Unsat) {
    solver_->assert_true(world_.terms.bit_not(assumed[0]));
    refuted_.insert(asked.begin(), asked.end());
  }
  return result;
}

solve::Result Questions::check_each(std::span<const Term> asked, const Budget& budget) {
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const solve::Result result = check_any(asked.subspan(i, 1), budget);
    if (result.answer != solve::Answer::Unsat) return result;
  }
  return solve::Result::unsat();
}

solve::Result Questions::check_together(std::span<const Term> asked, const Budget& budget) {
  if (asked.size() == 1) return check_any(asked, budget);
  const solve::Result result = check_any(asked, budget.with_timeout(std::chrono::duration<double>(kSecondsTogether)));
  if (result.answer != solve::Answer::Unknown || budget.exceeded()) return result;
  // Each has less to look at than all have, and what was learnt about one serves the next.
  return check_each(asked, budget);
}

Questions::Reply Questions::ask(const Record& /*record*/, const Record::Question& question,
                                std::span<const std::size_t> asked, const Budget& budget) {
  // A greater bound repeats what the one before it asked for.
  std::vector<Term> left;
  for (const std::size_t i : asked) {
    const Term condition = question.conditions[i];
    if (!world_.terms.is_false(condition) && !refuted_.contains(condition)) left.push_back(condition);
  }
  if (left.empty()) return {solve::Answer::Unsat};
  const solve::Result result = check_together(left, budget);
  if (result.answer != solve::Answer::Sat) return {result.answer, result.reason};
  Reply reply = reply_of(world_.terms, question, solver_->model());
  // A run that needs no luck with what was never written can be replayed.
  if (std::optional<Reply> better = ask_as_interpreted(world_.terms.any_of(left), question, budget))
    return std::move(*better);
  return reply;
}

}  // namespace plumb::unroll
