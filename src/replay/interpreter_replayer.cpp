#include "replay/interpreter_replayer.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/error.h"
#include "replay/describe_defect.h"
#include "replay/test_options.h"

namespace plumb::replay {
namespace {

/// The interpreter is some tens of times slower than the program.
constexpr double kSeconds = 5;
constexpr std::uint64_t kInstructions = 400'000'000;
/// A run that goes wrong this often is cut off.
constexpr std::uint64_t kMostFaults = 100'000;

/// Takes the faults of a run; those of one instruction and caller once.
class FaultCollector {
 public:
  FaultCollector(const program::Program& program, Replay& replay) : program_(program), replay_(replay) {}

  /// False if the run shall end.
  bool take(const program::Fault& fault, std::span<const program::CodePoint> stack) {
    if (++count_ > kMostFaults) return false;
    if (!is_checked(fault.kind, program_.checks)) return true;
    const program::CodePoint at = stack.empty() ? fault.allocated : stack.front();
    const program::CodePoint caller = stack.size() < 2 ? program::CodePoint{} : stack[1];
    if (!stack.empty() &&
        !known_.emplace(fault.kind, at.function, at.instruction, caller.function, caller.instruction).second)
      return true;
    const std::size_t before = replay_.defects.size();
    add(fault, stack);
    if (replay_.defects.size() > before && fault.kind == program::FaultKind::Leak)
      replay_.leaked.push_back(fault.object);
    return true;
  }
  void add(const program::Fault& fault, std::span<const program::CodePoint> stack) {
    result::Defect defect = describe_defect(program_, fault, stack);
    defect.shown_by = "interpreter";
    replay_.add(std::move(defect));
  }
  bool is_full() const noexcept { return count_ > kMostFaults; }

 private:
  const program::Program& program_;
  Replay& replay_;
  std::uint64_t count_ = 0;
  absl::flat_hash_set<std::tuple<program::FaultKind, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>>
      known_;
};

}  // namespace

bool is_interpretable(const result::TestCase& test) {
  return test.environment.variables.empty() && test.environment.failing_calls.empty();
}

interpret::RunResult InterpreterReplayer::interpret(interpret::Interpreter& interpreter,
                                                    interpret::InterpreterOptions& options,
                                                    const Budget& budget) const {
  options.max_instructions = kInstructions;
  options.max_memory = memory_;
  interpret::RunResult result = interpreter.run(options, budget.with_timeout(std::chrono::duration<double>(kSeconds)));
  budget.check();
  return result;
}

Replay InterpreterReplayer::run(const Evidence& evidence, const Budget& budget) {
  budget.check();
  Replay replay;
  if (evidence.test() == nullptr) {
    replay.problem = problem_of(evidence);
  } else if (!is_interpretable(*evidence.test())) {
    replay.problem = "the interpreter has no variables of the environment and no calls that fail";
  }
  if (!replay.problem.empty()) return replay;
  Builds::Interpreted* build = nullptr;
  try {
    build = &builds_.interpreted(budget);
  } catch (const UserError& problem) {
    replay.problem = problem.message();
    return replay;
  }
  FaultCollector collector(build->program, replay);
  const frontend::LoadOptions& load = builds_.options();
  ProgramFiles files(ProgramFiles::Start::Empty, evidence.test()->environment);
  interpret::InterpreterOptions options = test_options(*evidence.test(), load.files.front(), files);
  options.keep_stacks = true;
  options.on_fault = [&](const program::Fault& fault, std::span<const program::CodePoint> stack) {
    return collector.take(fault, stack);
  };
  const interpret::RunResult result = interpret(build->interpreter, options, budget);
  using End = interpret::RunResult::End;
  if (collector.is_full()) {
    replay.problem = "the run goes wrong too often";
  } else if (result.end == End::Unsupported || result.end == End::OutOfBudget) {
    replay.problem = result.reason.empty() ? "the interpreter ran out of time" : result.reason;
  } else if (result.end == End::Exit) {
    replay.take({RunEnd::Exit, result.exit_code}, name());
  } else if (result.end == End::AssumeFailed) {
    replay.ending = {RunEnd::AssumeFailed};
    replay.end = "an assumption that does not hold";
  } else if (!result.faults.empty()) {
    // Asked for or not, it ended the run: the quotient of a division that does not fit.
    if (!is_checked(result.faults.front().kind, load.checks)) collector.add(result.faults.front(), result.stack);
    replay.ending = {RunEnd::Defect};
    replay.end = program::name(result.faults.front().kind);
  }
  return replay;
}

void InterpreterReplayer::find_losses(const result::TestCase& test, Replay& replay, const Budget& budget) {
  if (replay.leaked.empty()) return;
  Builds::Typed* build = nullptr;
  try {
    build = &builds_.with_variables(budget);
  } catch (const UserError&) {
    return;
  }
  ProgramFiles files(ProgramFiles::Start::Empty, test.environment);
  interpret::InterpreterOptions options = test_options(test, builds_.options().files.front(), files);
  options.find_losses = replay.leaked;
  std::vector<SourceLocation> places(replay.leaked.size());
  options.on_fault = [&](const program::Fault& fault, std::span<const program::CodePoint>) {
    const auto leak = std::ranges::find(replay.leaked, fault.object);
    if (fault.kind == program::FaultKind::Leak && leak != replay.leaked.end())
      places[static_cast<std::size_t>(leak - replay.leaked.begin())] = place_of(build->typed.program, fault.lost);
    return true;
  };
  interpret(build->interpreter, options, budget);
  auto place = places.begin();
  for (result::Defect& defect : replay.defects)
    if (defect.kind == program::name(program::FaultKind::Leak)) defect.lost_at = *place++;
}

}  // namespace plumb::replay
