#include "semantics/gaps.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "program/analysis/call_graph.h"
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

/// Of the calls of a function without a body.
std::optional<Gap> gap_of_callee(const Function& callee) {
  if (callee.has_body() || is_output(callee) || program::intrinsic_of(callee.name)) return std::nullopt;
  return Gap{.kind = GapKind::MissingBody, .text = missing_body_text(callee)};
}

class GapFinder {
 public:
  GapFinder(const Program& program, bool is_memory_asked)
      : program_(program), is_memory_asked_(is_memory_asked), calls_(program) {}

  std::vector<Gap> find() {
    const std::vector<bool> reachable = reachable_functions(program_);
    for (program::FunctionId f = 0; f < program_.functions.size(); ++f)
      for (const Instruction& instruction : program_.functions[f].instructions)
        if (reachable[f]) look_at(program_.functions[f], instruction);
    return std::move(gaps_);
  }

 private:
  void look_at(const Function& function, const Instruction& instruction) {
    if (instruction.kind == Kind::CallIndirect) {
      for (program::FunctionId f = 0; f < program_.functions.size(); ++f)
        if (calls_.is_address_taken(f) && call_fit(function, instruction, program_.functions[f]) != CallFit::Wrong)
          add(function, instruction, gap_of_callee(program_.functions[f]));
    } else if (std::optional<Gap> gap = gap_of(function, instruction)) {
      add(function, instruction, std::move(gap));
    }
  }

  std::optional<Gap> gap_of(const Function& function, const Instruction& instruction) const {
    if (instruction.kind == Kind::Halt && instruction.halt_reason() == program::HaltReason::Unsupported)
      return Gap{.kind = GapKind::Unsupported,
                 .text = instruction.parameter == program::kNone ? "a construct that is not known"
                                                                 : program_.messages[instruction.parameter]};
    if (instruction.kind != Kind::Call) return std::nullopt;
    const Function& callee = program_.functions[instruction.parameter];
    if (is_memory_asked_ && !callee.has_body() && is_output(callee) && reads_memory(program_, function, instruction))
      return Gap{.kind = GapKind::Skipped, .text = fmt::format("what '{}' reads", callee.name)};
    return gap_of_callee(callee);
  }

  void add(const Function& function, const Instruction& instruction, std::optional<Gap> gap) {
    if (!gap) return;
    gap->place = program_.describe(instruction.location);
    gap->function = function.name;
    result::add_gaps(gaps_, std::array{*gap});
  }

  const Program& program_;
  bool is_memory_asked_;
  program::CallGraph calls_;
  std::vector<Gap> gaps_;
};

}  // namespace

std::vector<Gap> find_gaps(const Program& program, bool is_memory_asked) {
  return GapFinder(program, is_memory_asked).find();
}

std::optional<std::string> lost_scope(const Program& program, const Instruction& instruction) {
  const bool is_lost = instruction.kind == Kind::Intrinsic && instruction.parameter != program::kNone &&
                       instruction.intrinsic() == program::Intrinsic::EnterScope;
  return is_lost ? std::optional(program.messages[instruction.parameter]) : std::nullopt;
}

}  // namespace plumb::semantics
