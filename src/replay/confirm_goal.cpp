// Nothing that an engine found counts before two machines that share no code with it show it: the interpreter, which
// checks every access and ends at the very instruction, and the program itself, compiled. Of an assertion or an error
// call the plain build is asked, whose runtime tells which of them ended it; of memory and arithmetic, which a plain
// build may survive, the build with checks. Functions without a body get one there that takes its result from the test,
// as the interpreter does. A program that cannot be built (a missing library, another language) is left to the
// interpreter alone, and so are calls that do not fit their function, at which native code does not stop, and all
// where the sandbox cannot keep it from the user's files; the counterexample says so. So is an access that jumps over
// the room around its object into another, which no checked build can see.
#include <fmt/format.h>

#include <algorithm>

#include "base/sandbox.h"
#include "replay/confirmer.h"
#include "replay/describe_defect.h"
#include "replay/violated_goals.h"
#include "runtime/concolic/protocol.h"

namespace plumb::replay {

using program::CodePoint;
using program::FaultKind;
using program::Goal;
using program::GoalKind;
using program::kNone;
using program::Program;

namespace {

constexpr std::chrono::duration<double> kInterpreterTime{60};
constexpr std::chrono::duration<double> kTraceTime{10};

/// A run that the interpreter needed so many instructions for. A checked run goes on after a defect, maybe without end:
/// what it told counts even then, and its end is not waited for long.
RunLimits limits_of(std::uint64_t instructions) {
  constexpr double kLeastSeconds = 0.5;
  constexpr double kSecondsAnInstruction = 5e-8;
  RunLimits limits;
  limits.time =
      std::chrono::duration<double>(std::max(kLeastSeconds, kSecondsAnInstruction * static_cast<double>(instructions)));
  return limits;
}

/// What the run did at its end, for people.
std::string describe_end(const Program& program, const interpret::RunResult& result) {
  using End = interpret::RunResult::End;
  switch (result.end) {
    case End::Exit:
      if (result.faults.empty()) return fmt::format("exit code {}", result.exit_code);
      return result.faults.front().message;
    case End::Fault: {
      const std::string message = result.faults.empty() ? "a fault" : result.faults.front().message;
      const SourceLocation place = place_of(program, users_point(program, result.stack));
      return place.file.empty() ? message : fmt::format("{} ({})", message, place.to_string());
    }
    case End::AssumeFailed:
      return "an assumption that does not hold";
    case End::Unsupported:
    case End::OutOfBudget:
      return result.reason;
  }
  return "nothing";
}

/// The calls around what violates the goal, innermost first; empty if nothing does.
std::span<const CodePoint> violating_stack(const Goal& goal, const interpret::RunResult& result,
                                           const program::Fault*& fault) {
  for (const program::Fault& each : result.faults) {
    if (!is_violation(goal, each.kind)) continue;
    if (is_about_threads(goal)) {
      fault = &each;
      return result.stack;
    }
    const std::span<const CodePoint> stack = each.kind == FaultKind::Leak ? each.allocation_stack : result.stack;
    if (stack.empty() || stack.front() != goal.at) continue;
    fault = &each;
    return stack;
  }
  return {};
}

std::string message_of(const Program& program, const Goal& goal, const program::Fault& fault) {
  switch (goal.kind) {
    case GoalKind::Assertion:
      return describe(program, goal) + " fails";
    case GoalKind::Error:
      return "the error location is reached";
    case GoalKind::Termination: {
      const std::string text = describe(program, goal);
      return fmt::format("the run goes on after {} iterations and recursive calls",
                         text.substr(program::kTerminationCheck.size()));
    }
    default:
      return fault.message;
  }
}

/// A plain build shows it.
bool is_told(GoalKind kind) {
  return kind == GoalKind::Assertion || kind == GoalKind::Error || kind == GoalKind::Termination ||
         kind == GoalKind::Vla;
}

/// enum plumb_error that the replay runtime tells of.
int told_error(const Program& program, const Goal& goal) {
  if (goal.kind == GoalKind::Error) return PLUMB_ERROR_REACHED;
  const program::Instruction& at = program.functions[goal.at.function].instructions[goal.at.instruction];
  return at.intrinsic() == program::Intrinsic::AssertFail ? PLUMB_ERROR_ASSERT : PLUMB_ERROR_CHECK;
}

/// "42: f: Assertion": what the runtime writes of an assertion of that line; empty if the line is not known.
std::string assertion_line(const Program& program, const Goal& goal) {
  const program::Function& function = program.functions[goal.at.function];
  const program::Instruction& at = function.instructions[goal.at.instruction];
  if (goal.kind != GoalKind::Assertion || at.intrinsic() != program::Intrinsic::AssertFail) return {};
  const program::ValueId line = function.operands_of(at)[2];
  if (function.values[line].kind != program::ValueKind::Constant) return {};
  return fmt::format(":{}: ", function.constant(line).to_uint64());
}

/// Why the plain build does not show it; empty if it does.
std::string plain_problem(const Program& program, const Goal& goal, const NativeRun& run) {
  const bool is_same_error = is_failure(run.ending) && run.ending.end == RunEnd::Error &&
                             run.ending.code == told_error(program, goal) &&
                             run.error.find(assertion_line(program, goal)) != std::string::npos;
  return is_same_error ? "" : describe(run.ending);
}

/// Likewise, the checked build.
std::string checked_problem(const Replay& replay, const SoughtDefect& sought) {
  if (find_defect(replay, sought) != nullptr) return {};
  if (!replay.problem.empty()) return replay.problem;
  if (replay.defects.empty()) return replay.end;
  return fmt::format("{} ({})", replay.defects.front().message, replay.defects.front().place.to_string());
}

/// The access misses its object, and the room around that, which is all that a checked build can tell from other
/// objects.
bool jumps_over_room(const program::Fault& fault) {
  constexpr std::int64_t kLeastRoom = 8;  // runtime/checks/README.md
  const bool is_beyond =
      fault.kind == FaultKind::PointerOutOfBounds || fault.kind == FaultKind::ArrayPointerOutOfBounds;
  if (!is_beyond || !fault.access || !fault.object_kind) return false;
  const auto object_size = static_cast<std::int64_t>(fault.object_size);
  const std::int64_t end = fault.offset + static_cast<std::int64_t>(fault.size);
  return fault.offset >= object_size + kLeastRoom || end <= -kLeastRoom;
}

/// The checked run came to its end without a complaint, as the interpreter does that goes on after what it shows.
bool sees_nothing(const Replay& checked, const Replay& exact) {
  return checked.problem.empty() && checked.defects.empty() && exact.problem.empty() && !exact.defects.empty() &&
         exact.end == checked.end;
}

}  // namespace

std::string Confirmer::native_problem(const Goal& goal, const program::Fault& fault, std::uint64_t instructions,
                                      Counterexample& counterexample, const Budget& budget) {
  const Program& program = here_->builds.interpreted(budget).program;
  const RunLimits limits = limits_of(instructions);
  // What was found by a proof should not be the first to run the program on the user's files.
  if (!sandbox_powers().confines_files()) {
    counterexample.confirmed_by = "interpreter; " + sandbox_gaps(limits.sandbox);
    return {};
  }
  if (fault.kind == FaultKind::InvalidCall && fault.object_kind == program::ObjectKind::Function) {
    counterexample.confirmed_by = "interpreter; native code calls a function whatever its parameters are";
    return {};
  }
  if (fault.kind == FaultKind::PointerArithmetic) {
    counterexample.confirmed_by = "interpreter; an address that nothing accesses does nothing natively";
    return {};
  }
  try {
    if (is_told(goal.kind)) {
      counterexample.confirmed_by = "native run";
      return plain_problem(program, goal, NativeReplayer(here_->builds, limits).run_test(counterexample.test, budget));
    }
    SoughtDefect sought;
    sought.kind = fault.kind;
    sought.place = counterexample.failure;
    sought.is_in_model = program.functions[goal.at.function].is_model;
    counterexample.confirmed_by = "checked native run";
    return checked_problem(CheckedReplayer(here_->builds, limits).run({counterexample.test}, budget), sought);
  } catch (const UserError& problem) {
    counterexample.confirmed_by = fmt::format("interpreter; there is no native build: {}", problem.message());
    return {};
  }
}

void Confirmer::confirm_in_order(const Goal& goal, const ThreadMoments& moments, std::uint64_t instructions,
                                 Counterexample& counterexample, const Budget& budget) {
  const Program& program = here_->builds.interpreted(budget).program;
  const auto native_problem = [&]() -> std::string {
    if (counterexample.test.schedule.empty()) return "a native run has an order of threads of its own";
    if (goal.kind == GoalKind::DataRace) return "a race does nothing natively";
    if (!is_told(goal.kind) && goal.kind != GoalKind::Deadlock)
      return "a native run with threads in an order has no checks";
    const RunLimits limits = limits_of(instructions);
    if (!sandbox_powers().confines_files()) return sandbox_gaps(limits.sandbox);
    const NativeOrder order = native_order(program, moments, goal.kind == GoalKind::Deadlock);
    if (!order.problem.empty()) return order.problem;
    try {
      const NativeRun run = NativeReplayer(here_->builds, limits).run_in_order(counterexample.test, order, budget);
      if (std::string left = left_order(run.error); !left.empty()) return left;
      const bool is_same =
          goal.kind == GoalKind::Deadlock ? told_deadlock(run.error) : plain_problem(program, goal, run).empty();
      return is_same ? "" : fmt::format("the native run in the same order ends with {}", describe(run.ending));
    } catch (const UserError& problem) {
      return fmt::format("there is no native build: {}", problem.message());
    }
  };
  const std::string problem = native_problem();
  counterexample.confirmed_by = problem.empty() ? "interpreter and native run" : "interpreter; " + problem;
}

void Confirmer::add_trace(const Goal& goal, Counterexample& counterexample, const Budget& budget) {
  // With variables in memory there are other operations than the schedule counts.
  if (!counterexample.test.schedule.empty()) return;
  Builds::Typed& build = here_->builds.with_variables(budget);
  SourceTrace trace = run_with_trace(build.typed, counterexample.test, budget.with_timeout(kTraceTime));
  const Program& program = build.typed.program;
  // Values that the program never set may differ in memory form: a trace of another run is of no use.
  const bool is_same = std::ranges::any_of(trace.end.faults, [&](const program::Fault& fault) {
    const std::span<const CodePoint> stack = fault.kind == FaultKind::Leak ? fault.allocation_stack : trace.end.stack;
    const SourceLocation place = place_of(program, users_point(program, stack));
    return is_violation(goal, fault.kind) && place.line == counterexample.failure.line &&
           place.file == counterexample.failure.file;
  });
  if (is_same) counterexample.trace = std::move(trace.steps);
}

void Confirmer::add_lanes(const ThreadMoments& moments, Counterexample& counterexample, const Budget& budget) {
  if (counterexample.test.schedule.empty()) return;
  const Builds::Typed& build = here_->builds.with_variables(budget);
  counterexample.lanes =
      lanes_of(here_->builds.interpreted(budget).program, build.typed.types, moments, counterexample.test.inputs);
  if (!counterexample.lanes.empty())
    counterexample.lanes.push_back(failing_step(moments, counterexample.failure, counterexample.function));
}

void Confirmer::confirm_violation(const Goal& goal, const result::TestCase& test, Confirmation& made,
                                  const Budget& budget) {
  Builds::Interpreted& build = here_->builds.interpreted(budget);
  Counterexample counterexample;
  ProgramFiles files(ProgramFiles::Start::Empty, test.environment);
  interpret::InterpreterOptions options = goal_options(test, files);
  options.on_input = [&](std::span<const CodePoint> stack, const result::TestInput& input) {
    counterexample.input_places.push_back(place_of(build.program, users_point(build.program, stack)));
    counterexample.input_widths.push_back(static_cast<std::uint32_t>(8 * input.bytes.size()));
  };
  options.finds_races = goal.kind == GoalKind::DataRace;
  ThreadMoments moments(build.program);
  if (!test.schedule.empty()) options.on_operation = [&](const auto& event) { moments.take(event); };
  std::vector<result::UnsetBytes> unset;
  options.on_unset = [&](std::span<const CodePoint> stack, const result::UnsetBytes& bytes) {
    counterexample.unset_places.emplace_back(place_of(build.program, users_point(build.program, stack)),
                                             counterexample.input_places.size());
    unset.push_back(bytes);
  };
  const interpret::RunResult result = build.interpreter.run(options, budget.with_timeout(kInterpreterTime));
  budget.check();
  const program::Fault* fault = nullptr;
  const std::span<const CodePoint> stack = violating_stack(goal, result, fault);
  if (fault == nullptr) {
    made.reason = fmt::format("the interpreter ends with {}", describe_end(build.program, result));
    return;
  }
  const CodePoint blamed = users_point(build.program, stack);
  counterexample.failure = place_of(build.program, blamed);
  counterexample.function = build.program.functions[blamed.function].name;
  counterexample.message = message_of(build.program, goal, *fault);
  counterexample.test = {result.inputs, test.environment, test.schedule, std::move(unset)};
  std::string problem;
  if (!test.schedule.empty() || is_about_threads(goal))
    confirm_in_order(goal, moments, result.instructions, counterexample, budget);
  else
    problem = native_problem(goal, *fault, result.instructions, counterexample, budget);
  // Where the interpreter has followed all of the program, its exact addresses are enough.
  if (!problem.empty() && result.assumptions.empty() && jumps_over_room(*fault)) {
    Replays& replays = replays_of(counterexample.test);
    const Replay& exact = interpreted(replays, budget);
    if (sees_nothing(checked(replays, budget), exact)) {
      counterexample.confirmed_by = "interpreter; the native run ends alike, and has no red zone where the access goes";
      problem.clear();
    }
  }
  if (!problem.empty()) {
    made.reason =
        fmt::format("the interpreter ends with {}, but the native run with {}", counterexample.message, problem);
    return;
  }
  made.is_confirmed = true;
  made.counterexample = std::move(counterexample);
  try {
    add_trace(goal, *made.counterexample, budget);
    add_lanes(moments, *made.counterexample, budget);
  } catch (const OutOfBudget&) {  // a counterexample without a trace is one, too
  } catch (const UserError&) {
  }
}

Confirmation Confirmer::confirm(const Goal& goal, const result::TestCase& test, const Budget& budget) {
  Confirmation made;
  try {
    confirm_violation(goal, test, made, budget);
    // What an engine takes for the value of a pointer may be none elsewhere, and the violation may not need it.
    if (!made.is_confirmed && !test.unset.empty()) {
      Confirmation without;
      confirm_violation(goal, {test.inputs, test.environment, test.schedule}, without, budget);
      if (without.is_confirmed) made = std::move(without);
    }
  } catch (const OutOfBudget& end) {
    made.reason = fmt::format("no replay: {}", to_string(end.stop));
  }
  return made;
}

}  // namespace plumb::replay
