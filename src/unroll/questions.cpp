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
// What the first attempt at a question of many events may take, how much more time each attempt has than the one before
// it, and how much there is for one event after the other in between.
constexpr double kSecondsTogether = 0.1;
constexpr double kMoreTime = 4.0;
constexpr double kTimeOneByOne = 8.0;

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

solve::Result Questions::check_each(std::vector<Term>& asked, double seconds, const Budget& budget) {
  const Clock::time_point start = Clock::now();
  std::vector<Term> left;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (seconds_since(start) > kTimeOneByOne * seconds || budget.exceeded()) {
      left.insert(left.end(), asked.begin() + static_cast<std::ptrdiff_t>(i), asked.end());
      break;
    }
    const std::span<const Term> one(&asked[i], 1);
    const solve::Result result = check_any(one, budget.with_timeout(std::chrono::duration<double>(seconds)));
    if (result.answer == solve::Answer::Sat) return result;
    if (result.answer == solve::Answer::Unknown) left.push_back(asked[i]);
  }
  asked = std::move(left);
  if (asked.empty()) return solve::Result::unsat();
  const std::optional<Stop> stop = budget.exceeded();
  return solve::Result::unknown(stop ? std::string(to_string(*stop)) : "");
}

// One event has less to look at than all have, and what was refuted is a fact for those that follow: an iteration of a
// loop is often easy behind the one before it. Where one of them happens, a question about all finds it.
solve::Result Questions::check_together(std::vector<Term> asked, const Budget& budget) {
  for (double seconds = kSecondsTogether; asked.size() > 1; seconds *= kMoreTime) {
    solve::Result result = check_any(asked, budget.with_timeout(std::chrono::duration<double>(seconds)));
    if (result.answer != solve::Answer::Unknown || budget.exceeded()) return result;
    result = check_each(asked, seconds, budget);
    if (result.answer != solve::Answer::Unknown || budget.exceeded()) return result;
  }
  return check_any(asked, budget);
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
