#include "semantics/intrinsics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace plumb::semantics {

using program::AccessKind;
using program::FaultKind;

namespace {

constexpr MemoryUse kMutex{AccessKind::Write, 0, {}};

/// In the order of program::Intrinsic.
constexpr std::array<IntrinsicRule, program::kIntrinsicCount> kRules = {{
    // Inputs and properties
    {Effect::Input},
    {Effect::InputBytes, {}, MemoryUse{AccessKind::Write, 0, 1}},
    {Effect::Assume},
    {Effect::Require, FaultKind::Assertion},
    {Effect::Fault, FaultKind::Assertion},
    {Effect::Fault, FaultKind::ErrorReached},
    // Ends: abort, exit, quick-exit, at-exit
    {Effect::Quit, FaultKind::Abort},
    {Effect::Exit},
    {Effect::Quit},
    {Effect::Nothing},
    // The heap
    {Effect::Allocate},
    {Effect::Allocate},
    {Effect::Reallocate},
    {Effect::Allocate},
    {Effect::Free},
    // The stack: the last two are setjmp and longjmp
    {Effect::StackSave},
    {Effect::StackRestore},
    {Effect::EnterScope},
    {Effect::LeaveScope},
    {Effect::VaStart},
    {Effect::Gap},
    {Effect::Gap},
    // Threads: create, join, exit, self, yield, wait, timed wait
    {Effect::Gap},
    {Effect::Gap},
    {Effect::Gap},
    {Effect::Self},
    {Effect::Nothing},
    {Effect::Gap},
    {Effect::Gap},
    {Effect::Lock, {}, kMutex},
    {Effect::TryLock, {}, kMutex},
    {Effect::Unlock, {}, kMutex},
    {Effect::Gap},
    {Effect::Wait},
    {Effect::Gap},
    {Effect::Nothing},
    {Effect::Nothing},
    {Effect::Nothing},
    {Effect::Nothing},
    {Effect::Nothing},
    // The outside: read, write, open, close, seek, clock, any, gap
    {Effect::Gap, {}, MemoryUse{AccessKind::Write, 1, 2}},
    {Effect::Anything, {}, MemoryUse{AccessKind::Read, 1, 2}},
    {Effect::Gap},
    {Effect::Gap},
    {Effect::Gap},
    {Effect::Input},
    {Effect::Anything},
    {Effect::Outside},
    // Values never written
    {Effect::UnsetValue},
    {Effect::UnsetMemory},
    // Pointers
    {Effect::RequirePointer, FaultKind::PointerArithmetic},
}};

}  // namespace

const IntrinsicRule& rule_of(program::Intrinsic intrinsic) { return kRules[static_cast<std::size_t>(intrinsic)]; }

bool is_allocation(const program::Instruction& instruction) {
  if (instruction.kind != program::Kind::Intrinsic) return false;
  const Effect effect = rule_of(instruction.intrinsic()).effect;
  return effect == Effect::Allocate || effect == Effect::Reallocate;
}

bool is_new_at(const program::Function& function, program::InstructionId unset) {
  const program::ValueId object = function.operands_of(function.instructions[unset])[0];
  for (program::InstructionId i = unset; i-- > 0;) {
    const program::Instruction& before = function.instructions[i];
    if (program::is_terminator(before.kind)) return false;
    if (before.result_count > 0 && before.first_result == object) return true;
    if (before.kind == program::Kind::Intrinsic && before.intrinsic() == program::Intrinsic::EnterScope &&
        function.operands_of(before)[0] == object)
      return true;
  }
  return false;
}

std::string outside_text(const program::Program& program, const program::Function& function,
                         const program::Instruction& instruction) {
  const program::Value& text = function.values[function.operands_of(instruction)[0]];
  std::optional<std::string> known;
  if (text.kind == program::ValueKind::GlobalAddress) known = program.constant_text(text.index, text.offset);
  return known.value_or("what the outside decides");
}

std::string input_name(std::string type, std::uint32_t width) {
  return type.empty() ? "i" + std::to_string(width) : std::move(type);
}

std::optional<std::uint32_t> heap_alignment(std::uint64_t asked) {
  if (asked > kMaxAlignment) return std::nullopt;
  return static_cast<std::uint32_t>(std::bit_ceil(std::max<std::uint64_t>(asked, kHeapAlignment)));
}

}  // namespace plumb::semantics
