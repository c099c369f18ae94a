#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "program/fault.h"
#include "program/intrinsic.h"
#include "program/program.h"

namespace plumb::semantics {

/// What an intrinsic does to a run that has one thread. Inputs are asked for in the order in which the run comes to
/// them, so what asks for one and what does not is part of the meaning.
enum class Effect : std::uint8_t {
  Input,       ///< the result is an input; without a result nothing is asked for
  InputBytes,  ///< (pointer, size, name): so many bytes are an input. Of size 0 nothing is asked for, not even a name
  Assume,      ///< the run does not count unless the operand holds
  Require,     ///< `fault` unless the operand holds
  Fault,       ///< `fault`
  Quit,        ///< the run ends as it stands; a `fault` here is no mistake, but a way to end
  Exit,        ///< the run ends after functions of atexit and destructors
  Allocate,    ///< heap_request()
  Reallocate,  ///< realloc_request()
  Free,
  StackSave,     ///< the result is a token, which programs only hand back
  StackRestore,  ///< stack objects that were allocated since die
  EnterScope,    ///< the stack object, dead or alive, lives, at its address, and its bytes were never written
  LeaveScope,    ///< the stack object is dead until it is entered again; a use is FaultKind::UseAfterScope
  VaStart,       ///< Platform::variadic_list
  Nothing,       ///< the result, if there is one, is 0: there is nobody to wait for or to wake
  Self,          ///< the result is the same in all of the run and not 0
  Lock,          ///< of one_thread.h, as the three behind it
  TryLock,
  Unlock,
  Wait,
  Anything,     ///< the result is any value; it is decided outside and no input that tests have
  Outside,      ///< the run is one of those that the outside allows: a gap of the text that is given (outside_text())
  Gap,          ///< not followed but by the interpreter
  UnsetValue,   ///< the result is any value, which a test may have (result::UnsetBytes): no input in the order of those
  UnsetMemory,  ///< the object's bytes were never written: any, which a test may have. See is_new_at()
  /// `fault` unless the second operand lies in the object of the first or just past its end, or is the first.
  RequirePointer,
};

/// Bytes that must be there to be read or written: if there are none, the address does not matter.
struct MemoryUse {
  program::AccessKind kind = program::AccessKind::Read;
  std::uint8_t address = 0;             ///< which operand
  std::optional<std::uint8_t> count{};  ///< which operand; without it 1
};

struct IntrinsicRule {
  Effect effect = Effect::Gap;
  std::optional<program::FaultKind> fault{};
  std::optional<MemoryUse> use{};
};

const IntrinsicRule& rule_of(program::Intrinsic intrinsic);
/// It gives a new object of the heap, or null.
bool is_allocation(const program::Instruction& instruction);

/// Of an UnsetMemory: whether its block made the object, or began a life of it, before; where that is not so, this is
/// what makes the bytes of a variable that a loop comes to again unwritten.
bool is_new_at(const program::Function& function, program::InstructionId unset);

/// What an Outside leaves out.
std::string outside_text(const program::Program& program, const program::Function& function,
                         const program::Instruction& instruction);

/// What an Input is called: by its C type, or by its width if the program names none.
std::string input_name(std::string type, std::uint32_t width);
/// InputBytes whose name is null.
inline constexpr const char* kUnnamedBytes = "symbolic";

/// Alignments that are larger find no room: null is given.
inline constexpr std::uint64_t kMaxAlignment = std::uint64_t{1} << 30;
/// What malloc() aligns to.
inline constexpr std::uint32_t kHeapAlignment = 16;
/// Of an object that aligned_alloc() makes, as glibc does it: a power of two, and never less than malloc's. Nothing if
/// there is no room. (Since 2.38 its aligned_alloc refuses what is no power of two; its memalign, which models express
/// by this, still does not.)
std::optional<std::uint32_t> heap_alignment(std::uint64_t asked);

/// What Malloc, Calloc and AlignedAlloc ask the heap for.
template <typename Value>
struct HeapRequest {
  Value is_refused;  ///< null is given, whatever room there is
  Value size;
  bool is_zeroed = false;
};
/// `Domain` has the operators of a term::TermStore, over values of pointer width.
template <typename Domain, typename Value>
HeapRequest<Value> heap_request(Domain& domain, program::Intrinsic what, std::span<const Value> arguments) {
  if (what == program::Intrinsic::Calloc)
    return {domain.umul_overflow(arguments[0], arguments[1]), domain.mul(arguments[0], arguments[1]), true};
  return {domain.boolean(false), arguments[what == program::Intrinsic::AlignedAlloc ? 1 : 0], false};
}

/// What Realloc asks the heap for, as glibc does it: without an object it is malloc(), and with one and size 0 it is
/// free() and gives null.
template <typename Value>
struct ReallocRequest {
  Value has_old;  ///< an object is freed; its content is kept if another is made
  Value is_made;  ///< an object of this size is; else null is given
};
template <typename Domain, typename Value>
ReallocRequest<Value> realloc_request(Domain& domain, Value address, Value size) {
  const Value zero = domain.zero(domain.width(address));
  const Value has_old = domain.bit_not(domain.eq(address, zero));
  return {has_old, domain.bit_not(domain.bit_and(has_old, domain.eq(size, zero)))};
}

}  // namespace plumb::semantics
