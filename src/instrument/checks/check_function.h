#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstdint>
#include <optional>

#include "instrument/checks/check_access.h"
#include "instrument/checks/check_buffers.h"
#include "instrument/checks/check_frames.h"
#include "instrument/checks/check_repeats.h"
#include "instrument/checks/check_runtime.h"
#include "instrument/checks/check_streams.h"
#include "instrument/sites/sites.h"
#include "program/check_set.h"

namespace plumb::instrument {

/// An address, and its shadow where code has shadows; without them null.
struct CheckedAddress {
  llvm::Value* value = nullptr;
  llvm::Value* shadow = nullptr;
};

/// Emits the checks of one function. What an access needs is decided before any code is added, for all of the function;
/// the code is added an instruction at a time, alone (`visit`) or beside shadows:
///
///     %v = load i32, ptr %p          %k = load i8, ptr (%p >> 3) + offset
///                                    br (%k != 0), look, next                          (unlikely)
///                                  look:
///                             =>     br ((%p & 7) + 3 >= %k), bad, next'
///                                  bad:
///                                    %s = call @__plumb_bad_access(site, %p, 4)
///                                  next:
///                                    %q = phi [%p, …], [%s, bad]
///                                    %v = load i32, ptr %q
class FunctionChecks {
 public:
  FunctionChecks(CheckRuntime& runtime, program::CheckSet checks, llvm::Function& function);

  /// What an access through this operand needs: of loads, stores, atomic operations, copies, fills, and of arguments
  /// that lead to buffers. Null if it is not checked.
  const AccessPlan* plan(const llvm::Use& pointer) const;
  /// For variables that pointers lead to, which are to be moved there at the end (check_frames.h).
  const FrameLayout& frame() const noexcept { return frame_; }

  /// All that is to be checked of an instruction of the function.
  void visit(llvm::Instruction& instruction);

  // The parts of it, for code with shadows. Each adds code before `instruction`.
  /// Where one goes that was tested before in its stead; nothing if it has to be tested itself.
  std::optional<CheckedAddress> tested_before(const llvm::Instruction& instruction) const;
  /// Where the access is to go. Does not change the instruction.
  CheckedAddress check_access(llvm::Instruction& instruction, CheckedAddress given);
  /// Where the address leads to after its indices were looked at before `next`; its uses take that.
  CheckedAddress check_indices(llvm::GetElementPtrInst& address, llvm::Value* shadow, llvm::Instruction& next);
  bool has_checked_indices(const llvm::GetElementPtrInst& address) const;
  /// Puts the copy or fill into a block of its own that is not run if it would access what it must not.
  void check_block(llvm::AnyMemIntrinsic& block);
  /// Buffers that are given to functions without checks, and structures that are passed as copies.
  void check_arguments(llvm::CallBase& call);
  /// Division by zero, overflow, shifts.
  void check_operator(llvm::Instruction& instruction);

 private:
  /// `is_usual`: less often than not, but no sign of a defect.
  llvm::Instruction* rarely(llvm::Value* condition, llvm::Instruction& position, bool is_usual = false);
  CheckedAddress substitute(llvm::Value* made, llvm::Instruction& rare, CheckedAddress given,
                            llvm::Instruction& position);
  CheckedAddress test_access(const MemoryAccess& access, const AccessPlan& plan, llvm::Instruction& instruction,
                             CheckedAddress given);
  CheckedAddress test_map(const MemoryAccess& access, llvm::Instruction& instruction, CheckedAddress given);
  /// As test_map(), of an address in a stream: looks at the map only above the limit.
  /// Without a map.
  CheckedAddress ask_runtime(const MemoryAccess& access, llvm::Instruction& instruction, CheckedAddress given);
  CheckedAddress test_stream(const MemoryAccess& access, PointerStream& stream, llvm::Instruction& instruction,
                             CheckedAddress given);
  CheckedAddress test_object(const MemoryAccess& access, const AccessPlan& plan, llvm::Instruction& instruction,
                             CheckedAddress given);
  CheckedAddress test_wide(const MemoryAccess& access, llvm::Instruction& instruction, CheckedAddress given);
  void check_alignment(const MemoryAccess& access, llvm::Instruction& instruction);
  void plan_instruction(llvm::Instruction& instruction);
  void plan_block(llvm::Use& pointer, llvm::Value* size, bool is_write);
  /// i1: the `size` bytes at the pointer may be accessed; told if not. Null: they surely may.
  llvm::Value* test_block(const llvm::Use& pointer, llvm::Value* size, bool is_write, llvm::Instruction& position);
  llvm::Value* test_inside(const AccessPlan& plan, llvm::Value* address, llvm::Value* size, bool is_write,
                           llvm::Instruction& position);
  llvm::Value* test_units(llvm::Value* address, llvm::Value* size, bool is_write, llvm::Instruction& position);
  llvm::Value* object_size(llvm::IRBuilder<>& builder, const AccessPlan& plan);
  llvm::Value* room(llvm::IRBuilder<>& builder, const llvm::Use& pointer, llvm::Value* size);
  void check_read_buffer(llvm::CallBase& call, const Buffer& buffer);
  void check_written_buffer(llvm::CallBase& call, const Buffer& buffer);
  void check_text(llvm::CallBase& call, unsigned argument);
  void check_copied_argument(llvm::CallBase& call, unsigned argument);
  /// Makes the call take a place that nobody uses, and no more than it has, where the condition (i1) holds.
  void redirect(llvm::CallBase& call, const Buffer& buffer, llvm::Value* condition);
  void check_overflow(llvm::Instruction& instruction);
  void check_division(llvm::Instruction& instruction);
  void tell_value(llvm::Value* is_bad, std::uint32_t defect, llvm::Value* a, llvm::Value* b,
                  llvm::Instruction& position);

  CheckRuntime& runtime_;
  program::CheckSet checks_;
  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  bool has_accesses_;
  llvm::DenseMap<const llvm::Use*, AccessPlan> plans_;
  RepeatedChecks repeats_;
  std::optional<PointerStreams> streams_;
  llvm::DenseMap<const llvm::Instruction*, CheckedAddress> tested_;
  FrameLayout frame_;
};

}  // namespace plumb::instrument
