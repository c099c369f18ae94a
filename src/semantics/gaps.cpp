#include "semantics/gaps.h"

#include <array>

#include "program/intrinsic.h"
#include "semantics/calls.h"
#include "semantics/goals.h"

namespace plumb::semantics {

using program::Function;
using program::Instruction;
using program::Kind;
using program::Program;
using result::Gap;
using result::GapKind;

namespace {

std::optional<Gap> gap_of(const Program& program, const Instruction& instruction) {
  if (instruction.kind == Kind::Halt && instruction.halt_reason() == program::HaltReason::Unsupported)
    return Gap{.kind = GapKind::Unsupported,
               .text = instruction.parameter == program::kNone ? "a construct that is not known"
                                                               : program.messages[instruction.parameter]};
  if (instruction.kind != Kind::Call) return std::nullopt;
  const Function& callee = program.functions[instruction.parameter];
  if (callee.has_body() || is_output(callee) || program::intrinsic_of(callee.name)) return std::nullopt;
  return Gap{.kind = GapKind::MissingBody, .text = missing_body_text(callee)};
}

}  // namespace

std::vector<Gap> find_gaps(const Program& program) {
  std::vector<Gap> gaps;
  const std::vector<bool> reachable = reachable_functions(program);
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

std::optional<std::string> lost_scope(const Program& program, const Instruction& instruction) {
  const bool is_lost = instruction.kind == Kind::Intrinsic && instruction.parameter != program::kNone &&
                       instruction.intrinsic() == program::Intrinsic::EnterScope;
  return is_lost ? std::optional(program.messages[instruction.parameter]) : std::nullopt;
}

}  // namespace plumb::semantics
