#include "concolic/confirm/memory_check.h"

#include "base/error.h"
#include "concolic/confirm/interpreted_run.h"

namespace plumb::concolic {
namespace {

/// The rest (assertions, division, …) the traced runs find by themselves.
bool is_of_memory(program::FaultKind kind) {
  using enum program::FaultKind;
  switch (kind) {
    case OutOfBounds:
    case UseAfterFree:
    case UseAfterReturn:
    case DoubleFree:
    case InvalidFree:
    case NullDereference:
    case UninitialisedPointer:
    case InvalidPointer:
    case InvalidCall:
    case WriteToConstant:
      return true;
    default:
      return false;
  }
}

}  // namespace

MemoryCheck::MemoryCheck(program::LoadOptions options, std::filesystem::path directory)
    : options_(std::move(options)), directory_(std::move(directory)) {}

const program::Program& MemoryCheck::program() const {
  INVARIANT(program_ != nullptr, "a defect should come from a program that was loaded");
  return *program_;
}

bool MemoryCheck::load(const Budget& budget) {
  if (interpreter_ != nullptr) return true;
  if (!load_problem_.empty()) return false;
  try {
    program_ = std::make_unique<program::Program>(program::load_program(options_, budget));
    interpreter_ = std::make_unique<program::Interpreter>(*program_);
  } catch (const UserError& problem) {
    load_problem_ = problem.message();
  }
  return interpreter_ != nullptr;
}

void MemoryCheck::give_up(std::string why) {
  if (unchecked_++ == 0) why_unchecked_ = std::move(why);
}

std::optional<MemoryDefect> MemoryCheck::check(const result::TestCase& test, const Budget& budget) {
  budget.check();
  if (!load(budget)) {
    give_up(load_problem_);
    return std::nullopt;
  }
  if (!is_interpretable(test)) {
    give_up("the interpreter has no variables of the environment and no calls that fail");
    return std::nullopt;
  }
  const program::RunResult run = run_interpreted(*interpreter_, options_.files.front(), test, directory_, budget);
  budget.check();
  using End = program::RunResult::End;
  if (run.end == End::Unsupported || run.end == End::OutOfBudget) {
    give_up(run.reason.empty() ? "the interpreter ran out of time" : run.reason);
    return std::nullopt;
  }
  ++checked_;
  if (run.end != End::Fault || run.faults.empty() || run.stack.empty() || !is_of_memory(run.faults.front().kind))
    return std::nullopt;
  if (!known_.emplace(run.stack.front().function, run.stack.front().instruction).second) return std::nullopt;
  return MemoryDefect{run.faults.front(), run.stack, test};
}

}  // namespace plumb::concolic
