#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "interpret/interpreter.h"
#include "semantics/thread_calls.h"

namespace plumb::replay {

/// Something in a run that the threads of a program notice of each other, as its source has it: an access, a call of
/// the library of threads, an input, an end.
struct ThreadMoment {
  enum class Kind : std::uint8_t {
    Access,
    Call,
    Wake,     ///< of a call that waited: it goes on
    Blocked,  ///< a call that could not be made, and is made later if at all
    Input,
    End,
  };
  Kind kind = Kind::Access;
  std::size_t thread = 0;
  program::CodePoint user;  ///< in the user's code; a call of the library for accesses that this makes
  /// It is where the source has it; not what a function of the library does, nor half of a copy.
  bool is_own = true;
  bool reads = false;
  bool writes = false;
  std::optional<semantics::ThreadCall> call;
  /// What is read or written; of a call what its first argument points to.
  std::optional<interpret::TouchedMemory> memory;
  std::uint64_t argument = 0;  ///< of a call: the first
};

/// Threads have store buffers (frontend/memory_model.h): accesses are made elsewhere than they stand in the source.
bool has_store_buffers(const program::Program& program);

/// Makes moments of the operations that InterpreterOptions::on_operation is told of. An atomic operation of the source
/// is one access, and a call of the library is there where it succeeds, not where it begins to wait.
class ThreadMoments {
 public:
  explicit ThreadMoments(const program::Program& program) : program_(program) {}  ///< which must outlive it

  void take(const interpret::OperationEvent& event);
  /// Those of the run so far, in their order. Of a run with very many, nothing.
  std::vector<ThreadMoment> moments() const;
  bool is_too_long() const noexcept { return is_too_long_; }
  std::size_t last_thread() const noexcept { return last_thread_; }  ///< that did anything

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct OpenCall {
    std::size_t depth = 0;
    program::CodePoint user;
    std::size_t moment = kNone;
    std::size_t wake = kNone;
    bool has_waited = false;
  };
  struct Thread {
    std::vector<std::size_t> made;  ///< by operation: the moment that it made, or kNone
    std::vector<OpenCall> calls;    ///< by depth
    std::size_t update = kNone;     ///< the atomic operation that it is in
    std::size_t blocked = kNone;
  };

  Thread& thread(std::size_t t);
  std::size_t add(ThreadMoment moment);
  std::size_t take_call(const interpret::OperationEvent& event, semantics::ThreadCall call);
  std::size_t take_access(const interpret::OperationEvent& event);
  void take_back(const interpret::OperationEvent& event);
  std::optional<semantics::ThreadCall> call_of(const interpret::OperationEvent& event) const;
  const program::Instruction& instruction(program::CodePoint at) const {
    return program_.functions[at.function].instructions[at.instruction];
  }

  const program::Program& program_;
  std::vector<Thread> threads_;
  std::vector<std::optional<ThreadMoment>> moments_;  ///< without those that were taken back
  std::size_t last_thread_ = 0;
  bool is_too_long_ = false;
};

}  // namespace plumb::replay
