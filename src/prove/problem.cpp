#include "prove/problem.h"

#include <array>

#include "base/error.h"
#include "prove/runs.h"
#include "prove/unrolling.h"
#include "solve/solver.h"
#include "term/smtlib_names.h"

namespace plumb::prove {
namespace {

system::Part cone_of(const System& whole, std::size_t bad) {
  INVARIANT(bad < whole.bads().size(), "the bad should be one of the system's");
  const std::array<std::size_t, 1> bads{bad};
  return system::cone_of_influence(whole, bads);
}

/// Of Form::FewCells.
constexpr std::uint64_t kFewCells = 48;
/// Of all array terms of a step together.
constexpr std::uint64_t kMaxArrayElements = std::uint64_t{1} << 18;

}  // namespace

std::vector<std::string> state_symbols(const System& system) {
  term::SmtlibNames names;
  std::vector<std::string> symbols;
  for (std::size_t i = 0; i < system.states().size(); ++i) {
    std::string symbol = names.unique(system.state_name(i));
    if (symbol.front() == '|') symbol = symbol.substr(1, symbol.size() - 2);
    symbols.push_back(std::move(symbol));
  }
  return symbols;
}

Problem::Problem(const System& whole, std::size_t bad, Form form) : part_(cone_of(whole, bad)) {
  const std::vector<std::string> all = state_symbols(whole);
  for (const std::size_t position : part_.states) symbols_.push_back(all[position]);
  const std::uint64_t most = form == Form::Cells ? kMaxCells : form == Form::FewCells ? kFewCells : 0;
  if (most == 0 || !system::has_arrays(part_.system) || system::cell_count(part_.system) > most) return;
  try {
    cells_ = system::expand_arrays(part_.system, kMaxArrayElements);
  } catch (const Unsupported&) {
    cells_.reset();
  }
}

term::Term Problem::to_arrays(term::Term t) {
  if (!cells_) return t;
  term::TermStore& store = part_.system.store();
  system::TermCopier copier(cells_->system.store(), store);
  for (std::size_t i = 0; i < cells_->states.size(); ++i) {
    const system::CellSystem::Place& place = cells_->states[i];
    term::Term value = part_.system.states()[place.position].variable;
    if (place.element) value = store.select(value, store.constant(store.sort(value).index_width, *place.element));
    copier.declare(cells_->system.states()[i].variable, value);
  }
  return copier.copy(t);
}

Trace Problem::to_whole(const Trace& trace) const {
  return part_.widened(cells_ ? cells_->to_arrays(part_.system, trace) : trace);
}

void confirm_counterexample(const Problem& problem, Result& result) {
  const system::Replay replay = system::replay(problem.system(), *result.trace);
  INVARIANT(replay.reaches(0), "a counterexample of our own should reach the bad");
  result.bound = replay.reached.front().step;
  result.trace->steps.resize(result.bound + 1);
}

Result for_whole(const System& whole, std::size_t bad, const Problem& problem, Result result) {
  if (!result.trace) return result;
  result.trace = problem.to_whole(*result.trace);
  INVARIANT(system::replay(whole, *result.trace).reaches(bad),
            "a counterexample of the cone should be one of the whole");
  return result;
}

std::optional<Result> vacuous_result(Problem& problem, const Budget& budget) {
  if (problem.system().constraints().empty()) return std::nullopt;
  Unrolling run(problem.system(), Unrolling::Start::Initial);
  solve::SolverOptions once;
  once.one_shot = true;
  const auto solver = solve::make_solver(problem.system().store(), "native", once);
  solver->assert_true(run.constraints(0));
  if (solver->check(budget).answer != solve::Answer::Unsat) return std::nullopt;
  Result result;
  result.verdict = Verdict::Vacuous;
  result.engine = "constraints";
  result.is_rechecked = true;
  result.certificate = Certificate{Certificate::Kind::Invariant, "false", 0, 0};
  return result;
}

void add_run(Result& result, double seconds) {
  result::Finding run{.engine = result.engine, .verdict = result.verdict, .reason = result.reason, .seconds = seconds};
  if (result.verdict == Verdict::HoldsUpTo) run.bound = result.bound;
  result.engines.push_back(std::move(run));
}

}  // namespace plumb::prove
