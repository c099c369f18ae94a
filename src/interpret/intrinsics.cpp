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
#include "term/narrow.h"

namespace plumb::interpret {

using semantics::kHeapAlignment;

namespace {

/// The text in the instruction's parameter; calls through a pointer have none.
std::string message_of(const Decoded* at, Machine& m) {
  const Instruction& source = m.source(at);
  return source.kind == Kind::Intrinsic && source.parameter != kNone ? m.program.messages[source.parameter] : "";
}

Decoded* nondet(Decoded* at, std::uint64_t*, Machine& m) {
  const Instruction& source = m.source(at);
  if (source.result_count == 0) return at + 1;
  const std::uint32_t width = m.width_of(source.first_result);
  const std::string type = message_of(at, m);
  m.set_value(at->result, m.input_value(at, type.empty() ? fmt::format("i{}", width) : type, width));
  return at + 1;
}

Decoded* make_symbolic(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t size = m.argument(at, 1);
  if (size == 0) return at + 1;
  const std::uint64_t name = m.source(at).operand_count > 2 ? m.argument(at, 2) : 0;
  const std::vector<std::uint8_t> bytes = m.input(at, name == 0 ? "symbolic" : m.text_at(at, name), size);
  std::uint8_t* to = m.block(at, m.argument(at, 0), size, AccessKind::Write);
  if (to != nullptr) std::memcpy(to, bytes.data(), size);
  return at + 1;
}

Decoded* assume(Decoded* at, std::uint64_t*, Machine& m) {
  if (m.argument(at, 0) == 0) m.end(at, RunResult::End::AssumeFailed, "an assumption does not hold");
  return at + 1;
}

Decoded* check(Decoded* at, std::uint64_t*, Machine& m) {
  if (m.argument(at, 0) != 0) return at + 1;
  const std::string text = message_of(at, m);
  m.fault(at, FaultKind::Assertion, text.empty() ? "assertion failed" : "assertion failed: " + text);
}

Decoded* assert_fail(Decoded* at, std::uint64_t*, Machine& m) {
  m.fault(at, FaultKind::Assertion, "assertion failed: " + m.text_at(at, m.argument(at, 0)));
}

Decoded* error(Decoded* at, std::uint64_t*, Machine& m) {
  m.fault(at, FaultKind::ErrorReached, "an error location is reached");
}

Decoded* abort_run(Decoded* at, std::uint64_t*, Machine& m) { m.fault(at, FaultKind::Abort, "abort() is called"); }

Decoded* exit_run(Decoded* at, std::uint64_t*, Machine& m) {
  const int exit_code = static_cast<int>(static_cast<std::uint32_t>(m.argument(at, 0)));
  m.settle_count(at);
  m.settled_frames = m.thread->frames.size();
  throw ExitCalled{exit_code};
}

Decoded* quick_exit(Decoded* at, std::uint64_t*, Machine& m) {
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

template <Intrinsic what>
Decoded* allocate_object(Decoded* at, std::uint64_t*, Machine& m) {
  constexpr std::size_t kOperands = what == Intrinsic::Malloc ? 1 : 2;
  std::array<std::uint64_t, kOperands> operands;
  for (std::uint32_t i = 0; i < kOperands; ++i) operands[i] = m.argument(at, i);
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

Handler host_handler(Intrinsic intrinsic) {
  switch (intrinsic) {
    case Intrinsic::HostRead:
      return host_read;
    case Intrinsic::HostWrite:
      return host_write;
    case Intrinsic::HostOpen:
      return host_open;
    case Intrinsic::HostClose:
      return host_close;
    case Intrinsic::HostSeek:
      return host_seek;
    case Intrinsic::HostClock:
      return host_clock;
    default:
      break;
  }
  INVARIANT(false, "every intrinsic should have a handler");
}

Handler thread_handler(Intrinsic intrinsic) {
  switch (intrinsic) {
    case Intrinsic::ThreadCreate:
      return thread_create;
    case Intrinsic::ThreadJoin:
      return thread_join;
    case Intrinsic::ThreadExit:
      return thread_exit;
    case Intrinsic::ThreadSelf:
      return thread_self;
    case Intrinsic::ThreadYield:
      return thread_yield;
    case Intrinsic::MutexLock:
      return mutex_lock;
    case Intrinsic::MutexTryLock:
      return mutex_try_lock;
    case Intrinsic::MutexUnlock:
      return mutex_unlock;
    case Intrinsic::CondWait:
      return cond_wait;
    case Intrinsic::CondSignal:
      return cond_signal;
    case Intrinsic::CondBroadcast:
      return cond_broadcast;
    case Intrinsic::AtomicBegin:
      return atomic_begin;
    case Intrinsic::AtomicEnd:
      return atomic_end;
    case Intrinsic::Fence:  // threads take turns
      return give_zero;
    default:
      return host_handler(intrinsic);
  }
}

}  // namespace

Handler intrinsic_handler(Intrinsic intrinsic) {
  switch (intrinsic) {
    case Intrinsic::Nondet:
      return nondet;
    case Intrinsic::MakeSymbolic:
      return make_symbolic;
    case Intrinsic::Assume:
      return assume;
    case Intrinsic::Check:
      return check;
    case Intrinsic::AssertFail:
      return assert_fail;
    case Intrinsic::Error:
      return error;
    case Intrinsic::Abort:
      return abort_run;
    case Intrinsic::Exit:
      return exit_run;
    case Intrinsic::QuickExit:
      return quick_exit;
    case Intrinsic::AtExit:
      return at_exit;
    case Intrinsic::Malloc:
      return allocate_object<Intrinsic::Malloc>;
    case Intrinsic::Calloc:
      return allocate_object<Intrinsic::Calloc>;
    case Intrinsic::Realloc:
      return realloc_object;
    case Intrinsic::AlignedAlloc:
      return allocate_object<Intrinsic::AlignedAlloc>;
    case Intrinsic::Free:
      return free_object;
    case Intrinsic::StackSave:
      return stack_save;
    case Intrinsic::StackRestore:
      return stack_restore;
    case Intrinsic::VaStart:
      return va_start;
    case Intrinsic::SetJump:
      return set_jump;
    case Intrinsic::LongJump:
      return long_jump;
    default:
      return thread_handler(intrinsic);
  }
}

}  // namespace plumb::interpret
