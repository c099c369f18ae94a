#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace plumb::program {

/// What programs ask of their environment or their verifier, whatever the name it has in the source
/// (intrinsic_of()). "int" is i32, "size" and pointers have the pointer width, "->" gives the result's width.
enum class Intrinsic : std::uint8_t {
  // Inputs and properties
  Nondet,        ///< () -> any width: a fresh input; parameter: in Program::messages, the name of its C type
  MakeSymbolic,  ///< (pointer, size, pointer to the name or null): the bytes become a fresh input
  Assume,        ///< (i1): runs in which it is 0 do not count
  Check,         ///< (i1): an assertion; parameter: in Program::messages, its text, or kNone
  AssertFail,    ///< (pointer text, pointer file, int line, pointer function): assert() failed. Does not return.
  Error,         ///< (): reach_error. Does not return.
  // Ends
  Abort,      ///< (): does not return
  Exit,       ///< (int): runs destructors and atexit functions. Does not return.
  QuickExit,  ///< (int): _exit. Does not return.
  AtExit,     ///< (function pointer) -> int
  // The heap; a size of zero gives a distinct object of size 0, but in Realloc of an object frees it and gives null
  Malloc,        ///< (size) -> pointer
  Calloc,        ///< (size, size) -> pointer
  Realloc,       ///< (pointer, size) -> pointer
  AlignedAlloc,  ///< (alignment, size) -> pointer
  Free,          ///< (pointer)
  // The stack
  StackSave,     ///< () -> pointer
  StackRestore,  ///< (pointer): frees the Allocates since
  EnterScope,    ///< (result of an Allocate of the same call): its object lives (again), with bytes never written
  LeaveScope,    ///< (result of an Allocate of the same call): its object is not to be used until EnterScope
  VaStart,       ///< (pointer to va_list)
  SetJump,       ///< (pointer) -> int: 0, or what a LongJump that comes back here gives
  LongJump,      ///< (pointer, int): ends calls up to that of the SetJump on the pointer. Does not return.
  // Threads
  ThreadCreate,  ///< (pointer to thread, pointer, function pointer, pointer) -> int
  ThreadJoin,    ///< (thread id, pointer width; pointer to result or null) -> int
  ThreadExit,    ///< (pointer). Does not return.
  ThreadSelf,    ///< () -> pointer width
  ThreadYield,   ///< () -> int
  /// (): inside of an atomic section, which has written nothing: it cannot be made now, and was not begun. It is made
  /// from its AtomicBegin on once another thread has changed something. Outside of one it is a ThreadYield.
  ThreadWait,
  ThreadTimedWait,  ///< () -> int: as ThreadWait, or 1: its time is over, which may be at any time
  MutexLock,        ///< (pointer) -> int
  MutexTryLock,     ///< (pointer) -> int
  MutexUnlock,      ///< (pointer) -> int
  MutexKind,        ///< (pointer, int): what locking it again does; 0 blocks, 1 counts, 2 fails, as PTHREAD_MUTEX_… say
  CondWait,         ///< (pointer, pointer to mutex) -> int
  CondTimedWait,    ///< (pointer, pointer to mutex) -> int: ETIMEDOUT if nobody woke it, which may be at any time
  CondSignal,       ///< (pointer) -> int
  CondBroadcast,    ///< (pointer) -> int
  AtomicBegin,      ///< (): no other thread runs until AtomicEnd; nests. kSynthetic: of a single atomic operation
  AtomicEnd,
  Fence,  ///< ()
  // The outside, used by the models of stdio
  HostRead,   ///< (int fd, pointer, size) -> pointer width: bytes read, 0 at the end, -1 on error
  HostWrite,  ///< (int fd, pointer, size) -> pointer width
  HostOpen,   ///< (pointer path, int mode: 0 read, 1 write, 2 append) -> int fd or -1
  HostClose,  ///< (int fd) -> int
  HostSeek,   ///< (int fd, i64 offset, int whence) -> i64
  HostClock,  ///< (int which: 0 seconds since 1970, 1 processor microseconds) -> i64
  HostAny,    ///< (i64 usual) -> i64: a value that the world decides; a run that is not asked about all worlds has
              ///< `usual`
  HostGap,    ///< (pointer text): the world decides more here than the model says, which the text names
  // Values of objects that were not written yet (frontend/unset.h); parameter: in Program::messages, the site's name
  UnsetValue,   ///< () -> any width: of a variable that is created here, the same until it is written
  UnsetMemory,  ///< (pointer to an object that is created here, size): its bytes were never written, or not since
  // Pointers
  CheckPointer,  ///< (pointer, pointer made of it): the second lies in the object of the first or just past its end
};
inline constexpr int kIntrinsicCount = static_cast<int>(Intrinsic::CheckPointer) + 1;

std::string_view name(Intrinsic intrinsic);  ///< "nondet", "make-symbolic"
/// What a call of a function without a body of this name means. Unknown names, and those that models implement, give
/// nothing.
std::optional<Intrinsic> intrinsic_of(std::string_view function);
/// Control does not come back from it.
bool is_final(Intrinsic intrinsic);

}  // namespace plumb::program
