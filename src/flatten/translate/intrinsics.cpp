#include <fmt/format.h>

#include <algorithm>

#include "flatten/translate/translator.h"

namespace plumb::flatten {

using program::Function;
using program::Instruction;
using program::Value;
using program::GoalKind;
using program::InstructionId;
using program::Intrinsic;
using program::kNone;
using program::ValueId;
using program::ValueKind;

namespace {

/// The text at a constant address; nothing if it is not one of a constant global.
std::optional<std::string> constant_text(const Program& program, const Value& address) {
  if (address.kind != ValueKind::GlobalAddress || address.offset < 0) return std::nullopt;
  const program::GlobalObject& global = program.globals[address.index];
  if (!global.is_constant) return std::nullopt;
  const auto first = std::min(static_cast<std::size_t>(address.offset), global.bytes.size());
  const auto begin = global.bytes.begin() + static_cast<std::ptrdiff_t>(first);
  return std::string(begin, std::find(begin, global.bytes.end(), 0));
}

}  // namespace

void Translator::execute_intrinsic(Draft& draft, const Instruction& instruction, InstructionId id) {
  const Function& function = this->function(draft.instance);
  switch (instruction.intrinsic()) {
    case Intrinsic::Nondet: {
      if (instruction.result_count == 0) return;
      const std::uint32_t width = function.values[instruction.first_result].width;
      std::string name = instruction.parameter == kNone ? "" : program_.messages[instruction.parameter];
      if (name.empty()) name = fmt::format("i{}", width);
      define_input(draft, instruction.first_result, input(width, point(draft, id), std::move(name), true));
      return;
    }
    case Intrinsic::MakeSymbolic:
      make_symbolic(draft, instruction, id);
      return;
    case Intrinsic::Assume:
      draft.alive = store().bit_and(draft.alive, operand(draft, instruction, 0));
      return;
    case Intrinsic::Check: {
      const bool is_termination = properties_.goal(point(draft, id), GoalKind::Termination).has_value();
      require(draft, operand(draft, instruction, 0), id, is_termination ? GoalKind::Termination : GoalKind::Assertion);
      return;
    }
    case Intrinsic::AssertFail:
      require(draft, store().boolean(false), id, GoalKind::Assertion);
      return;
    case Intrinsic::Error:
      require(draft, store().boolean(false), id, GoalKind::Error);
      return;
    case Intrinsic::Abort:
    case Intrinsic::QuickExit:
      draft.alive = store().boolean(false);
      return;
    case Intrinsic::Exit:
      if (!program_.destructors.empty()) return unsupported(draft, id, "exit() in a program with destructors");
      draft.targets.push_back({store().boolean(true), finish_label()});
      return;
    case Intrinsic::AtomicBegin:
    case Intrinsic::AtomicEnd:
    case Intrinsic::Fence:
      return;
    case Intrinsic::StackSave:
      define(draft, instruction.first_result, store().zero(function.values[instruction.first_result].width));
      return;
    case Intrinsic::StackRestore:
      if (const auto gap = memory_.gap(place(draft, id))) return unsupported(draft, id, *gap);
      memory_.restore_stack(draft.memory, place(draft, id), store().boolean(true));
      return;
    case Intrinsic::HostWrite:
    case Intrinsic::HostClock: {
      if (instruction.result_count == 0) return;
      const ValueId result = instruction.first_result;
      const std::string name(program::name(instruction.intrinsic()));
      define(draft, result, input(function.values[result].width, point(draft, id), name, false));
      return;
    }
    case Intrinsic::Malloc:
    case Intrinsic::Calloc:
    case Intrinsic::Realloc:
    case Intrinsic::AlignedAlloc:
    case Intrinsic::Free:
      execute_heap(draft, instruction, id);
      return;
    default:
      unsupported(draft, id, fmt::format("'{}'", program::name(instruction.intrinsic())));
  }
}

void Translator::make_symbolic(Draft& draft, const Instruction& instruction, InstructionId id) {
  const Function& function = this->function(draft.instance);
  const auto operands = function.operands_of(instruction);
  const Memory::Place at = place(draft, id);
  if (const auto gap = memory_.gap(at)) return unsupported(draft, id, *gap);
  const Term size = read(draft, operands[1]);
  const Term address = read(draft, operands[0]);
  if (!store().is_constant(size)) return unsupported(draft, id, "symbolic memory whose size is not a constant");
  const std::uint64_t bytes = store().value(size).to_uint64();
  if (bytes > options_.max_bytes) return unsupported(draft, id, fmt::format("symbolic memory of {} bytes", bytes));
  std::string name = "symbolic";
  if (operands.size() > 2 && function.values[operands[2]].kind == ValueKind::GlobalAddress) {
    const auto text = constant_text(program_, function.values[operands[2]]);
    if (text) name = *text;
  }
  // An input without bytes is one all the same, for the order of inputs.
  const Term given =
      input(static_cast<std::uint32_t>(std::max<std::uint64_t>(bytes, 1) * 8), point(draft, id), name, true);
  const std::size_t kept = values_.add_hidden({store().width(given), 0}, name);
  draft.assignments.push_back({graph_.variables[kept].term, given});
  if (bytes > 0)
    require(draft, memory_.store_bytes(draft.memory, at, store().boolean(true), address, given), id, GoalKind::Access);
}

void Translator::execute_heap(Draft& draft, const Instruction& instruction, InstructionId id) {
  const Memory::Place at = place(draft, id);
  const Term always = store().boolean(true);
  if (const auto gap = memory_.gap(at)) return unsupported(draft, id, *gap);
  if (instruction.intrinsic() != Intrinsic::Free) assume("allocation never fails");
  switch (instruction.intrinsic()) {
    case Intrinsic::Calloc:
      calloc(draft, instruction, id);
      return;
    case Intrinsic::Realloc: {
      const Term address = operand(draft, instruction, 0);
      const Memory::Reallocated made =
          memory_.reallocate(draft.memory, at, always, address, operand(draft, instruction, 1));
      require(draft, made.is_valid, id, GoalKind::Free);
      require_limit(draft, made.fits, id, Limit::Kind::Unsupported, "a copy of so many bytes");
      allocated(draft, id, made.allocated, Limit::Kind::Heap);
      return;
    }
    case Intrinsic::Free:
      require(draft, memory_.free(draft.memory, at, always, operand(draft, instruction, 0)), id, GoalKind::Free);
      return;
    default: {
      const std::size_t size = instruction.intrinsic() == Intrinsic::AlignedAlloc ? 1 : 0;
      const Term bytes = operand(draft, instruction, size);
      allocated(draft, id, memory_.allocate_heap(draft.memory, at, always, bytes, false), Limit::Kind::Heap);
    }
  }
}

/// Null if the product of its operands does not fit.
void Translator::calloc(Draft& draft, const Instruction& instruction, InstructionId id) {
  const Term count = operand(draft, instruction, 0);
  const Term size = operand(draft, instruction, 1);
  const Term overflows = store().umul_overflow(count, size);
  Memory::Allocated made =
      memory_.allocate_heap(draft.memory, place(draft, id), store().bit_not(overflows), store().mul(count, size), true);
  made.address = store().ite(overflows, store().zero(store().width(made.address)), made.address);
  made.fits_count = store().bit_or(overflows, made.fits_count);
  made.fits_size = store().bit_or(overflows, made.fits_size);
  allocated(draft, id, made, Limit::Kind::Heap);
}

}  // namespace plumb::flatten
