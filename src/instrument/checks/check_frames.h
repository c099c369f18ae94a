#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <vector>

#include "instrument/checks/check_runtime.h"

namespace plumb::instrument {

/// Where variables lie in a frame.
class FrameLayout {
 public:
  static constexpr std::uint64_t kAlignment = 32;
  struct Entry {
    llvm::AllocaInst* variable = nullptr;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };

  /// Does nothing with a variable that does not fit: too large, of too much alignment, or there already.
  void add(llvm::AllocaInst& variable);
  bool contains(const llvm::AllocaInst& variable) const;
  const std::vector<Entry>& entries() const noexcept { return entries_; }
  std::uint64_t size() const;

 private:
  std::vector<Entry> entries_;
  std::uint64_t end_ = kAlignment;
};

/// Moves variables of a function into a frame beside the stack, with room around each of them that keeps its poison
/// when the function has returned:
///
///     %x = alloca [5 x i32]             %frame = call @__plumb_enter_frame(describes x)
///                                =>     %base = phi [%frame, …], [on the real stack, if there was no frame]
///                                       %x = getelementptr i8, ptr %base, 32
///     ret                               call @__plumb_leave_frame(…, %frame); ret
///
/// Markers of lifetimes become calls of the runtime, which poisons the variable between its lives.
/// `on_stack` adds code for a variable that stays on the real stack in one call. The last change of a function, as its
/// variables are no more to be seen as such.
using OnStack = llvm::function_ref<void(llvm::IRBuilder<>&, llvm::Value* address, std::uint64_t size)>;
void move_to_frame(CheckRuntime& runtime, llvm::Function& function, const FrameLayout& frame, OnStack on_stack);

}  // namespace plumb::instrument
