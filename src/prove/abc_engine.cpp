#include <fmt/format.h>

#include "base/error.h"
#include "prove/abc_session.h"
#include "prove/engine.h"

namespace plumb::prove {
namespace {

circuit::AbcStep parse_proof(std::string_view name) {
  std::vector<circuit::AbcStep> steps =
      circuit::parse_abc_script(std::string(name.substr(abc_engine.info.name.size() + 1)), "engine");
  if (steps.size() != 1 || !steps.front().is_proof())
    throw UserError(fmt::format("engine '{}' is not one proof of ABC", name), "such as 'abc pdr'");
  return std::move(steps.front());
}

Result run_abc(const EngineTask& task) {
  if (const AbcSession* session = task.abc->get(task.budget))
    return session->run(parse_proof(task.name), task.problem, task.budget, task.options.trust_abc);
  Result result;
  result.reason = task.abc->reason();
  return result;
}

}  // namespace

std::vector<circuit::AbcStep> parse_reduction(const std::string& script) {
  std::vector<circuit::AbcStep> steps = circuit::parse_abc_script(script, "reduction");
  for (const circuit::AbcStep& step : steps)
    if (step.is_proof()) throw UserError(fmt::format("reduction: '{}' is a proof", step.text()));
  return steps;
}

SharedAbcSession::SharedAbcSession(const System& system, std::size_t bad, std::vector<circuit::AbcStep> reduction,
                                   const circuit::AbcOptions& options)
    : options_(options), reduction_(std::move(reduction)), problem_(system, bad, Problem::Form::Arrays) {}

const AbcSession* SharedAbcSession::get(const Budget& budget) {
  const std::scoped_lock lock(mutex_);
  if (!is_tried_) make(budget);
  if (failure_) std::rethrow_exception(failure_);
  return session_.get();
}

void SharedAbcSession::make(const Budget& budget) {
  is_tried_ = true;
  try {
    session_ = std::make_unique<AbcSession>(problem_, reduction_, options_, budget);
  } catch (const OutOfBudget& end) {
    reason_ = to_string(end.stop);
  } catch (const UserError& error) {
    reason_ = error.message();
  } catch (...) {
    failure_ = std::current_exception();
  }
}

constinit const Engine abc_engine = {
    .info = {.name = "abc",
             .can_hold = true,
             .can_violate = true,
             .summary =
                 "ABC's proofs on the circuit (`pdr`, `int`, `ind`, `dprove`, …), with options: `'abc int -T 20'`",
             .by_default = {"abc pdr", "abc int"},
             .argument = "PROOF",
             .program = "berkeley-abc"},
    .priority = kLaterPriority,
    .needs_abc = true,
    .for_machines = {"abc pdr", "abc pdr -nc"},
    .run = run_abc,
    .check = [](std::string_view name) { parse_proof(name); }};

}  // namespace plumb::prove
