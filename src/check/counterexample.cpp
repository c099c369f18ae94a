// Nothing that an engine found counts before two machines that share no code with it show it: the interpreter, which
// checks every access and ends at the very instruction, and the program itself, compiled. Of an assertion or an error
// call the plain build is asked, whose runtime tells which of them ended it; of memory and arithmetic, which a plain
// build may survive, the build with checks. Functions without a body get one there that takes its result from the test,
// as the interpreter does. A program that cannot be built (a missing library, another language) is left to the
// interpreter alone, and the counterexample says so.
#include "check/counterexample.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "check/trace.h"
#include "instrument/build_subject.h"
#include "program/analysis/call_graph.h"
#include "replay/checked_runs.h"
#include "replay/describe_defect.h"
#include "replay/native_run.h"
#include "runtime/concolic/protocol.h"

namespace plumb::check {

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
replay::RunLimits limits_of(std::uint64_t instructions) {
  constexpr double kLeastSeconds = 0.5;
  constexpr double kSecondsAnInstruction = 5e-8;
  replay::RunLimits limits;
  limits.time =
      std::chrono::duration<double>(std::max(kLeastSeconds, kSecondsAnInstruction * static_cast<double>(instructions)));
  return limits;
}

std::string_view c_type(std::uint32_t width, bool is_float) {
  if (is_float) return width == 32 ? "float" : width == 64 ? "double" : "";
  switch (width) {
    case 1:
      return "_Bool";
    case 8:
      return "unsigned char";
    case 16:
      return "unsigned short";
    case 32:
      return "unsigned int";
    case 64:
      return "unsigned long long";
    default:
      return "";
  }
}

/// C definitions of the functions that the program calls and that have no body, each of which takes its result from the
/// inputs; empty if there are none. What does not fit is left out, and the linker names it.
std::string stand_ins(const Program& program) {
  std::vector<program::FunctionId> roots = program.constructors;
  roots.insert(roots.end(), program.destructors.begin(), program.destructors.end());
  roots.push_back(program.entry);
  const std::vector<bool> reachable = program::CallGraph(program).reachable_from(roots);
  std::string text;
  for (program::FunctionId f = 0; f < program.functions.size(); ++f) {
    const program::Function& function = program.functions[f];
    if (!reachable[f] || function.has_body() || function.result_widths.size() > 1) continue;
    if (function.result_widths.empty()) {
      text += fmt::format("void plumb_stand_in_{0}(void) __asm__(\"{1}\");\nvoid plumb_stand_in_{0}(void) {{}}\n", f,
                          function.name);
      continue;
    }
    const std::string_view type = c_type(function.result_widths.front(), function.returns_float);
    if (type.empty()) continue;
    text += fmt::format(
        "{2} plumb_stand_in_{0}(void) __asm__(\"{1}\");\n"
        "{2} plumb_stand_in_{0}(void) {{ {2} made; plumb_symbolic(&made, sizeof made, \"{1}\"); return made; }}\n",
        f, function.name, type);
  }
  if (text.empty()) return text;
  return "void plumb_symbolic(void *object, __SIZE_TYPE__ size, const char *name);\n" + text;
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
      const SourceLocation place = replay::place_of(program, users_point(program, result.stack));
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
  return kind == GoalKind::Assertion || kind == GoalKind::Error || kind == GoalKind::Termination;
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

}  // namespace

struct Confirmer::State {
  State(const Program& of, frontend::LoadOptions with, std::filesystem::path in)
      : program(of), load(std::move(with)), directory(std::move(in)), interpreter(of) {}

  const Program& program;
  frontend::LoadOptions load;
  std::filesystem::path directory;
  interpret::Interpreter interpreter;
  bool has_stand_ins = false;
  std::filesystem::path executable;
  std::string build_problem;  ///< why there is no native build
  std::unique_ptr<replay::CheckedRuns> checked;
  std::chrono::duration<double> checked_time{0};  ///< that its runs have
  std::uint64_t instructions = 0;                 ///< of the interpreter's run
  std::optional<frontend::TypedProgram> typed;
  bool is_typed_tried = false;

  /// What native builds are made of.
  frontend::LoadOptions native_load() {
    frontend::LoadOptions options = load;
    const std::string text = stand_ins(program);
    if (text.empty()) return options;
    const std::filesystem::path file = std::filesystem::absolute(directory) / "stand_ins.c";
    if (!std::exchange(has_stand_ins, true)) write_file(file, text);
    options.files.push_back(file.string());
    options.word_size = program.layout.pointer_width;
    return options;
  }

  void run(const Goal& goal, const result::TestCase& test, Confirmation& made, const Budget& budget);
  /// Why the native run does not show it; empty if it does.
  std::string native_problem(const Goal& goal, const program::Fault& fault, Counterexample& counterexample,
                             const Budget& budget);
  std::string plain_problem(const Goal& goal, const result::TestCase& test, const Budget& budget);
  std::string checked_problem(const Goal& goal, const program::Fault& fault, const Counterexample& counterexample,
                              const Budget& budget);
  void add_trace(const Goal& goal, Counterexample& counterexample, const Budget& budget);
};

std::string Confirmer::State::plain_problem(const Goal& goal, const result::TestCase& test, const Budget& budget) {
  if (executable.empty()) executable = instrument::build_replay(native_load(), directory, budget);
  const replay::NativeRun run = run_natively(executable, test, limits_of(instructions), directory, budget);
  const bool is_same_error = run.end == ProcessResult::End::Signalled && !run.is_sent &&
                             run.told_error == told_error(program, goal) &&
                             run.error.find(assertion_line(program, goal)) != std::string::npos;
  return is_same_error ? "" : describe(run);
}

std::string Confirmer::State::checked_problem(const Goal& goal, const program::Fault& fault,
                                              const Counterexample& counterexample, const Budget& budget) {
  const replay::RunLimits limits = limits_of(instructions);
  if (checked == nullptr || checked_time < limits.time) {
    checked = std::make_unique<replay::CheckedRuns>(native_load(), limits, directory);
    checked_time = limits.time;
  }
  const replay::DefectReplay replay = checked->run(counterexample.test, budget);
  replay::SoughtDefect sought;
  sought.kind = fault.kind;
  sought.place = counterexample.failure;
  sought.is_in_model = program.functions[goal.at.function].is_model;
  if (find_defect(replay, sought) != nullptr) return {};
  if (!replay.problem.empty()) return replay.problem;
  if (replay.defects.empty()) return replay.end;
  return fmt::format("{} ({})", replay.defects.front().message, replay.defects.front().place.to_string());
}

std::string Confirmer::State::native_problem(const Goal& goal, const program::Fault& fault,
                                             Counterexample& counterexample, const Budget& budget) {
  if (build_problem.empty()) {
    try {
      const std::string problem = is_told(goal.kind) ? plain_problem(goal, counterexample.test, budget)
                                                     : checked_problem(goal, fault, counterexample, budget);
      counterexample.confirmed_by = is_told(goal.kind) ? "native run" : "checked native run";
      return problem;
    } catch (const UserError& problem) {
      build_problem = problem.message();
    }
  }
  counterexample.confirmed_by = fmt::format("interpreter; there is no native build: {}", build_problem);
  return {};
}

void Confirmer::State::add_trace(const Goal& goal, Counterexample& counterexample, const Budget& budget) {
  if (!std::exchange(is_typed_tried, true)) {
    frontend::LoadOptions options = load;
    options.keep_variables = true;
    typed = load_typed_program(options, budget);
  }
  if (!typed) return;
  Trace trace = run_with_trace(*typed, counterexample.test, budget.with_timeout(kTraceTime));
  // Values that the program never set may differ in memory form: a trace of another run is of no use.
  const bool is_same = std::ranges::any_of(trace.end.faults, [&](const program::Fault& fault) {
    const std::span<const CodePoint> stack = fault.kind == FaultKind::Leak ? fault.allocation_stack : trace.end.stack;
    const SourceLocation place = replay::place_of(typed->program, users_point(typed->program, stack));
    return is_violation(goal, fault.kind) && place.line == counterexample.failure.line &&
           place.file == counterexample.failure.file;
  });
  if (is_same) counterexample.trace = std::move(trace.steps);
}

void Confirmer::State::run(const Goal& goal, const result::TestCase& test, Confirmation& made, const Budget& budget) {
  Counterexample counterexample;
  interpret::InterpreterOptions options = interpreter_options(test);
  options.on_input = [&](std::span<const CodePoint> stack, const result::TestInput& input) {
    counterexample.input_places.push_back(replay::place_of(program, users_point(program, stack)));
    counterexample.input_widths.push_back(static_cast<std::uint32_t>(8 * input.bytes.size()));
  };
  const interpret::RunResult result = interpreter.run(options, budget.with_timeout(kInterpreterTime));
  budget.check();
  instructions = result.instructions;
  const program::Fault* fault = nullptr;
  const std::span<const CodePoint> stack = violating_stack(goal, result, fault);
  if (fault == nullptr) {
    made.reason = fmt::format("the interpreter ends with {}", describe_end(program, result));
    return;
  }
  const CodePoint blamed = users_point(program, stack);
  counterexample.failure = replay::place_of(program, blamed);
  counterexample.function = program.functions[blamed.function].name;
  counterexample.message = message_of(program, goal, *fault);
  counterexample.test = {result.inputs, test.environment};
  const std::string problem = native_problem(goal, *fault, counterexample, budget);
  if (!problem.empty()) {
    made.reason =
        fmt::format("the interpreter ends with {}, but the native run with {}", counterexample.message, problem);
    return;
  }
  made.counterexample = std::move(counterexample);
  try {
    add_trace(goal, *made.counterexample, budget);
  } catch (const OutOfBudget&) {  // a counterexample without a trace is one, too
  } catch (const UserError&) {
  }
}

Confirmer::Confirmer(const Program& program, frontend::LoadOptions load, std::filesystem::path directory)
    : state_(std::make_unique<State>(program, std::move(load), std::move(directory))) {}

Confirmer::~Confirmer() = default;

Confirmer::Confirmation Confirmer::confirm(const Goal& goal, const result::TestCase& test, const Budget& budget) {
  Confirmation made;
  try {
    state_->run(goal, test, made, budget);
  } catch (const OutOfBudget& end) {
    made.reason = fmt::format("no replay: {}", to_string(end.stop));
  }
  return made;
}

}  // namespace plumb::check
