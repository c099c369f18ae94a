#include "instrument/sites/code_gaps.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "instrument/sites/external_functions.h"
#include "program/intrinsic.h"
#include "semantics/gaps.h"
#include "semantics/goals.h"

namespace plumb::instrument {
namespace {

using program::Function;
using program::Instruction;
using program::Intrinsic;
using program::Kind;
using program::Program;
using result::Gap;
using result::GapKind;

std::optional<Gap> gap_of_intrinsic(Intrinsic intrinsic) {
  switch (intrinsic) {
    case Intrinsic::ThreadCreate:
      return Gap{.kind = GapKind::Schedule,
                 .text = "other orders of threads were not run, and inputs are not followed into other threads"};
    case Intrinsic::LongJump:
      return Gap{.kind = GapKind::Unsupported, .text = "an input that longjmp() hands over is not followed"};
    default:
      return std::nullopt;
  }
}

std::optional<Gap> gap_of(const Program& program, const Instruction& instruction) {
  if (std::optional<std::string> lost = semantics::lost_scope(program, instruction)) {
    if (!program.checks.has(program::Check::UseAfterReturn)) return std::nullopt;
    return Gap{.kind = GapKind::Skipped, .text = std::move(*lost)};
  }
  if (instruction.kind == Kind::Intrinsic) return gap_of_intrinsic(instruction.intrinsic());
  if (instruction.kind == Kind::Halt && instruction.halt_reason() == program::HaltReason::Unsupported)
    return Gap{.kind = GapKind::Unsupported,
               .text = fmt::format("{} is run, and inputs are not followed through it",
                                   instruction.parameter == program::kNone ? "a construct that is not known"
                                                                           : program.messages[instruction.parameter])};
  if (instruction.kind != Kind::Call) return std::nullopt;
  const Function& callee = program.functions[instruction.parameter];
  if (callee.has_body() || program::intrinsic_of(callee.name) || external_function(callee.name).is_steady)
    return std::nullopt;
  return Gap{.kind = GapKind::Pinned,
             .text = fmt::format("{}() is no input: on each path it gave one of its results", callee.name)};
}

}  // namespace

std::vector<Gap> code_gaps(const Program& program) {
  std::vector<Gap> gaps;
  const std::vector<bool> reachable = semantics::reachable_functions(program);
  for (program::FunctionId f = 0; f < program.functions.size(); ++f) {
    if (!reachable[f]) continue;
    const Function& function = program.functions[f];
    for (const Instruction& instruction : function.instructions)
      if (std::optional<Gap> gap = gap_of(program, instruction)) {
        gap->place = program.describe(instruction.location);
        gap->function = function.name;
        result::add_gaps(gaps, std::array{*gap});
      }
  }
  return gaps;
}

}  // namespace plumb::instrument
