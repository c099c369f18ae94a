#include "semantics/intrinsics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "interpret/handlers.h"
#include "interpret/host_io.h"
#include "interpret/jumps.h"
#include "interpret/machine.h"
#include "interpret/threads.h"
#include "program/goal.h"
#include "term/narrow.h"

namespace plumb::interpret {

using semantics::Effect;
using semantics::kHeapAlignment;

namespace {

const semantics::IntrinsicRule& rule_at(const Decoded* at, Machine& m) {
  return semantics::rule_of(m.intrinsic_at(at));
}

Decoded* nondet(Decoded* at, std::uint64_t*, Machine& m) {
  const Instruction& source = m.source(at);
  if (source.result_count == 0) return at + 1;
  const std::uint32_t width = m.width_of(source.first_result);
  m.set_value(at->result, m.input_value(at, semantics::input_name(m.program.message_of(source), width), width));
  return at + 1;
}

Decoded* make_symbolic(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t size = m.argument(at, 1);
  if (size == 0) return at + 1;
  const std::uint64_t name = m.source(at).operand_count > 2 ? m.argument(at, 2) : 0;
  const std::vector<std::uint8_t> bytes = m.input(at, name == 0 ? semantics::kUnnamedBytes : m.text_at(at, name), size);
  std::uint8_t* to = m.block(at, m.argument(at, 0), size, AccessKind::Write);
  if (to != nullptr) std::memcpy(to, bytes.data(), size);
  return at + 1;
}

Decoded* assume(Decoded* at, std::uint64_t*, Machine& m) {
  if (m.argument(at, 0) == 0) m.end(at, RunResult::End::AssumeFailed, "an assumption does not hold");
  return at + 1;
}

Decoded* require(Decoded* at, std::uint64_t*, Machine& m) {
  if (m.argument(at, 0) != 0) return at + 1;
  const FaultKind kind = fault_of_check(m.program, m.source(at));
  if (kind == FaultKind::VlaSize) m.fault(at, kind, "the size of an array of variable length is not positive");
  const std::string text = m.program.message_of(m.source(at));
  m.fault(at, kind, text.empty() ? "assertion failed" : "assertion failed: " + text);
}

Decoded* require_pointer(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t from = m.argument(at, 0);
  const std::uint64_t to = m.argument(at, 1);
  if (from == to) return at + 1;
  Fault fault;
  fault.kind = *rule_at(at, m).fault;
  fault.address = from;
  if (const std::optional<ObjectId> object = m.memory.object_at(from)) {
    const semantics::ObjectInfo& info = m.memory.info(*object);
    const std::uint64_t mask = term::narrow_mask(m.program.layout.pointer_width);
    if (from - info.base <= info.size && (to - info.base & mask) <= info.size) return at + 1;
    const std::uint64_t offset = to - info.base & mask;
    fault.offset = m.program.layout.pointer_width == 32 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(offset))
                                                        : static_cast<std::int64_t>(offset);
    fault.object_kind = info.kind;
    fault.object_global = info.global;
    fault.object_size = info.size;
    fault.allocated = info.allocated;
  }
  // An index that was found wrong leads there, and has been told of.
  if (m.memory.object_at(to) == m.memory.object_at(m.nowhere())) return at + 1;
  fault.message = describe(fault);
  m.tell(at, std::move(fault));
  return at + 1;
}

Decoded* fail(Decoded* at, std::uint64_t*, Machine& m) {
  const FaultKind fault = *rule_at(at, m).fault;
  if (fault == FaultKind::ErrorReached) m.fault(at, fault, "an error location is reached");
  m.fault(at, fault, "assertion failed: " + m.text_at(at, m.argument(at, 0)));
}

Decoded* exit_run(Decoded* at, std::uint64_t*, Machine& m) {
  const int exit_code = static_cast<int>(static_cast<std::uint32_t>(m.argument(at, 0)));
  m.settle_count(at);
  m.settled_frames = m.thread->frames.size();
  throw ExitCalled{exit_code};
}

Decoded* quit(Decoded* at, std::uint64_t*, Machine& m) {
  if (const std::optional<FaultKind> fault = rule_at(at, m).fault) m.fault(at, *fault, "abort() is called");
  m.result.exit_code = static_cast<int>(m.argument(at, 0) & 0xFF);
  m.end(at, RunResult::End::Exit, {});
}

Decoded* at_exit(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t address = m.argument(at, 0);
  const Function& function = m.program.functions[m.function_at(at, address)];
  if (!function.has_body())
    m.unsupported(at, fmt::format("atexit of '{}', which has no body and no model", function.name));
  m.exit_functions.push_back(address);
  m.give(at, 0);
  return at + 1;
}

/// Words of pointer width, with the operators that heap_request() and realloc_request() need.
struct Words {
  std::uint32_t pointer_width;

  std::uint32_t width(std::uint64_t) const { return pointer_width; }
  static std::uint64_t zero(std::uint32_t) { return 0; }
  static std::uint64_t boolean(bool value) { return value ? 1 : 0; }
  static std::uint64_t eq(std::uint64_t a, std::uint64_t b) { return boolean(a == b); }
  static std::uint64_t bit_not(std::uint64_t is_true) { return 1 - is_true; }
  static std::uint64_t bit_and(std::uint64_t a, std::uint64_t b) { return a & b; }
  std::uint64_t mul(std::uint64_t a, std::uint64_t b) const { return a * b & term::narrow_mask(pointer_width); }
  std::uint64_t umul_overflow(std::uint64_t a, std::uint64_t b) const {
    return term::evaluate_narrow(term::Op::UmulOverflow, 1, pointer_width, 0, a, b);
  }
};

Decoded* allocate_object(Decoded* at, std::uint64_t*, Machine& m) {
  const Intrinsic what = m.intrinsic_at(at);
  const std::array operands = {m.argument(at, 0), what == Intrinsic::Malloc ? 0 : m.argument(at, 1)};
  const Words words{m.program.layout.pointer_width};
  const auto request = semantics::heap_request(words, what, std::span<const std::uint64_t>(operands));
  const std::optional<std::uint32_t> alignment =
      what == Intrinsic::AlignedAlloc ? semantics::heap_alignment(operands[0]) : kHeapAlignment;
  const bool is_refused = request.is_refused != 0 || !alignment;
  m.give(at, is_refused ? 0 : m.allocate_heap(at, request.size, *alignment, request.is_zeroed));
  return at + 1;
}

Decoded* realloc_object(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t old = m.argument(at, 0);
  const std::uint64_t size = m.argument(at, 1);
  const Words words{m.program.layout.pointer_width};
  const auto request = semantics::realloc_request(words, old, size);
  const std::optional<ObjectId> object = m.memory.object_at(old);
  const bool is_valid = object && m.memory.info(*object).base == old && m.memory.info(*object).life == Life::Live &&
                        m.memory.info(*object).kind == ObjectKind::Heap;
  const bool is_made = request.is_made != 0 && (is_valid || request.has_old == 0);
  const std::uint64_t made = is_made ? m.allocate_heap(at, size, kHeapAlignment, false) : 0;
  if (made != 0 && is_valid) {
    const std::uint64_t kept = std::min(size, m.memory.info(*object).size);
    const ObjectId copy = *m.memory.object_at(made);
    if (kept > 0) std::memcpy(m.memory.writable(copy).writable_data(), m.memory.bytes(*object).data(), kept);
    if (m.definedness != nullptr) m.definedness->keep(*object, copy, kept);
  }
  if (made != 0 || !is_made) m.free_heap(at, old);
  m.give(at, made);
  return at + 1;
}

Decoded* free_object(Decoded* at, std::uint64_t*, Machine& m) {
  m.free_heap(at, m.argument(at, 0));
  return at + 1;
}

/// The token is the number of stack objects there are: programs only hand it back.
Decoded* stack_save(Decoded* at, std::uint64_t*, Machine& m) {
  m.give(at, m.thread->stack_objects.size());
  return at + 1;
}

Decoded* stack_restore(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t count = m.argument(at, 0);
  if (count >= m.frame().first_object) m.kill_stack_objects(*m.thread, count, m.here(at));
  return at + 1;
}

/// Of the object that the operand is the address of.
Decoded* enter_scope(Decoded* at, std::uint64_t*, Machine& m) {
  m.enter_scope(*m.memory.object_at(m.argument(at, 0)));
  return at + 1;
}

Decoded* leave_scope(Decoded* at, std::uint64_t*, Machine& m) {
  m.leave_scope(*m.memory.object_at(m.argument(at, 0)), m.here(at));
  return at + 1;
}

Decoded* unset_value(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint32_t width = m.width_of(m.source(at).first_result);
  std::vector<std::uint8_t> bytes((width + 7) / 8, semantics::kUninitialised);
  m.give_unset(at, bytes.data(), bytes.size());
  std::vector<std::uint64_t> words((width + 63) / 64);
  for (std::size_t i = 0; i < bytes.size(); ++i) words[i / 8] |= std::uint64_t{bytes[i]} << (i % 8 * 8);
  m.set_value(at->result, BitVector::from_words(width, words));
  return at + 1;
}

/// The program does not write here: what is looked for in its writes does not see this one.
Decoded* unset_memory(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t address = m.argument(at, 0);
  const std::optional<ObjectId> object = m.memory.object_at(address);
  if (!object || address != m.base(*object) || m.memory.info(*object).life != Life::Live) return at + 1;
  const std::uint64_t size = std::min(m.argument(at, 1), m.memory.info(*object).size);
  if (size == 0) return at + 1;
  const ObjectKind kind = m.memory.info(*object).kind;
  if (kind == ObjectKind::Stack && !semantics::is_new_at(*m.frame().code->function, at->source)) m.unset(*object);
  m.give_unset(at, m.memory.writable(*object).writable_data(), size);
  return at + 1;
}

Decoded* va_start(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t list = m.argument(at, 0);
  const std::uint64_t area = m.frame().variadic;
  for (const program::VariadicWord& word : m.platform.variadic_list)
    m.store_word(at, list + word.offset, word.is_area ? area : word.value, m.pointer_bytes());
  return at + 1;
}

Decoded* give_zero(Decoded* at, std::uint64_t*, Machine& m) {
  m.give(at, 0);
  return at + 1;
}

/// What has an effect beside that on a run of one thread, or none there, or is another one for engines.
constexpr auto kOthers = std::to_array<std::pair<Intrinsic, Handler>>({
    {Intrinsic::AtExit, at_exit},
    {Intrinsic::SetJump, set_jump},
    {Intrinsic::LongJump, long_jump},
    {Intrinsic::ThreadCreate, thread_create},
    {Intrinsic::ThreadJoin, thread_join},
    {Intrinsic::ThreadExit, thread_exit},
    {Intrinsic::ThreadYield, thread_yield},
    {Intrinsic::ThreadWait, thread_wait},
    {Intrinsic::ThreadTimedWait, thread_timed_wait},
    {Intrinsic::MutexKind, mutex_kind},
    {Intrinsic::CondTimedWait, cond_wait},
    {Intrinsic::CondSignal, cond_signal},
    {Intrinsic::CondBroadcast, cond_broadcast},
    {Intrinsic::AtomicBegin, atomic_begin},
    {Intrinsic::AtomicEnd, atomic_end},
    {Intrinsic::Fence, give_zero},  // memory is sequentially consistent
    {Intrinsic::HostRead, host_read},
    {Intrinsic::HostWrite, host_write},
    {Intrinsic::HostOpen, host_open},
    {Intrinsic::HostClose, host_close},
    {Intrinsic::HostSeek, host_seek},
    {Intrinsic::HostClock, host_clock},
    {Intrinsic::HostAny, host_any},
    {Intrinsic::HostGap, host_gap},
});

}  // namespace

Intrinsic Machine::intrinsic_at(const Decoded* at) {
  const Instruction& instruction = source(at);
  if (instruction.kind == Kind::Intrinsic) return instruction.intrinsic();
  return *program::intrinsic_of(program.functions[function_at(at, low_word(operand(at, 0)))].name);
}

Handler intrinsic_handler(Intrinsic intrinsic) {
  const auto* other = std::ranges::find(kOthers, intrinsic, &std::pair<Intrinsic, Handler>::first);
  if (other != kOthers.end()) return other->second;
  switch (semantics::rule_of(intrinsic).effect) {
    case Effect::Input:
      return nondet;
    case Effect::InputBytes:
      return make_symbolic;
    case Effect::Assume:
      return assume;
    case Effect::Require:
      return require;
    case Effect::RequirePointer:
      return require_pointer;
    case Effect::Fault:
      return fail;
    case Effect::Quit:
      return quit;
    case Effect::Exit:
      return exit_run;
    case Effect::Allocate:
      return allocate_object;
    case Effect::Reallocate:
      return realloc_object;
    case Effect::Free:
      return free_object;
    case Effect::StackSave:
      return stack_save;
    case Effect::StackRestore:
      return stack_restore;
    case Effect::EnterScope:
      return enter_scope;
    case Effect::LeaveScope:
      return leave_scope;
    case Effect::VaStart:
      return va_start;
    case Effect::UnsetValue:
      return unset_value;
    case Effect::UnsetMemory:
      return unset_memory;
    case Effect::Self:
      return thread_self;
    case Effect::Lock:
    case Effect::TryLock:
    case Effect::Unlock:
      return mutex_call;
    case Effect::Wait:
      return cond_wait;
    case Effect::Nothing:
    case Effect::Anything:
    case Effect::Outside:
    case Effect::Gap:
      break;
  }
  fail_invariant("every intrinsic has a handler", "every intrinsic should have a handler", __FILE__, __LINE__);
}

}  // namespace plumb::interpret
