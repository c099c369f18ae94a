#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "frontend/lower/lower_addresses.h"
#include "instrument/checks/check_function.h"
#include "instrument/checks/check_runtime.h"
#include "instrument/code_builder.h"
#include "instrument/prepared_module.h"
#include "instrument/regions/region_cloner.h"
#include "instrument/shadows/shadow_loops.h"
#include "instrument/shadows/shadow_operators.h"
#include "instrument/shadows/shadow_runtime.h"
#include "instrument/shadows/shadow_types.h"

namespace plumb::instrument {

/// It stands for no expression.
inline bool is_zero(const llvm::Value* shadow) { return llvm::isa<llvm::Constant>(shadow); }

/// Gives the code of one function its shadows. Blocks are taken in an order in which definitions come before uses; the
/// shadows of phi nodes get their operands at the end. Instructions without effect wait until a shadow of theirs is
/// needed, a call or the end of the block comes: one test serves all that wait.
class FunctionShadows {
 public:
  /// `regions` and `loops`: those of this function.
  FunctionShadows(PreparedModule& prepared, ShadowRuntime& runtime, CheckRuntime& checks, llvm::Function& function,
                  std::vector<PlainRegion*> regions, std::vector<ConcreteLoop> loops);
  /// Throws OutOfBudget: each place that is split off a long block costs as much as the rest of it.
  void run(const Budget& budget);

 private:
  // Shadows
  Shadows zeros(llvm::Type* type) const;
  /// By leaf, at the current place: makes those that wait first, before `position`.
  Shadows shadows(llvm::Value* value, llvm::Instruction& position);
  llvm::Value* shadow(llvm::Value* value, llvm::Instruction& position);
  Shadows known(llvm::Value* value) const;
  bool is_any_symbolic(const llvm::Instruction& instruction) const;
  void wait(llvm::Instruction& instruction);
  void flush(llvm::Instruction& position);

  // Code
  /// A block before `position` for when the condition holds, which is rare; gives its end.
  llvm::Instruction* rarely(llvm::Value* condition, llvm::Instruction& position);
  /// At the head of the block of `position`: 0, or what the rare block before it made.
  llvm::Value* merge(llvm::Value* made, llvm::Instruction* rare, llvm::Instruction& position);
  /// The operators' code, with shadows that are known at the builder's place.
  OperatorCode operators(llvm::IRBuilder<>& builder);

  // Frame of the function
  void hoist_variables();
  void begin();
  void take_arguments(llvm::Instruction& position);
  void take_copy(llvm::Argument& argument, unsigned slot, llvm::IRBuilder<>& code);
  /// Stores to variables that are never symbolic do not clear what lay there before; so that is done once, unless the
  /// variable is only loaded and stored to.
  void clear_variables(llvm::Instruction& position);
  bool shows_shadows(const llvm::Value& address) const;
  void register_variables(llvm::Instruction& position);
  void restore_stack(llvm::Instruction& position);
  void make_phi(llvm::PHINode& phi);
  void complete_phis();
  void enter_copy(ConcreteLoop& loop);
  void enter_region(PlainRegion& region);
  void leave_region(PlainRegion& region);

  void visit(llvm::Instruction& instruction);
  void visit_return(llvm::ReturnInst& instruction);

  // Checks of what depends on input (shadow_checks.cpp): told before it is checked whether they hold in this run
  /// The access goes where its checks send it; gives its address and shadow.
  CheckedAddress check_access(llvm::Instruction& instruction);
  CheckedAddress tell_access(llvm::Instruction& instruction, const MemoryAccess& access, CheckedAddress given);
  void visit_indices(llvm::GetElementPtrInst& address);
  void tell_index(llvm::GetElementPtrInst& address, const frontend::CheckedIndex& checked);
  /// Of `size` bytes that are to be read or written through a pointer, before `position`.
  void tell_block(const llvm::Use& pointer, llvm::Value* size, bool is_write, llvm::Instruction& position);
  void check_operator(llvm::Instruction& instruction);
  void tell_buffers(llvm::CallBase& call);
  /// Instead of pinning the size of a heap object. False if it has to be pinned.
  bool tell_size(llvm::CallBase& call, RuntimeFunction f);
  /// A value of the program takes another's place.
  void replace(llvm::Value& old, llvm::Value& made);

  // Memory (shadow_memory.cpp)
  void visit_load(llvm::LoadInst& load);
  void visit_store(llvm::StoreInst& store);
  void visit_exchange(llvm::AtomicRMWInst& instruction);
  void visit_exchange(llvm::AtomicCmpXchgInst& instruction);
  void visit_allocation(llvm::AllocaInst& variable);
  bool visit_memory_intrinsic(llvm::CallBase& call);
  struct Place {
    llvm::Value* address = nullptr;
    llvm::Value* shadow = nullptr;  ///< of the address
    std::uint32_t size = 0;         ///< in bytes
    SiteId site = 0;
    VisibleObject object;
  };
  /// The variable that an access through this operand is to, where the code shows it or has shown it before its checks.
  VisibleObject object_at(const llvm::Use& pointer) const;
  /// 16 bits, not 0 if the filter says that memory there or close by may be symbolic; for up to 8 bytes its masks.
  llvm::Value* filter_test(llvm::IRBuilder<>& builder, const Place& place);
  /// As rarely(), for when memory there may be symbolic or `shadow` is not 0.
  llvm::Instruction* when_marked(const Place& place, llvm::Value* shadow, llvm::Instruction& position);
  llvm::Value* merge_marked(llvm::Value* made, llvm::Instruction* rare, llvm::Instruction& position);
  llvm::Value* load_shadow(const Place& place, llvm::Type* type, llvm::Instruction& position);
  /// `before` and `after`: the store, and what follows it.
  void store_shadow(const Place& place, llvm::Value* value, llvm::Value* shadow, llvm::Instruction& before,
                    llvm::Instruction& after);
  void count_wide_load(const Place& place, llvm::Instruction& position);
  void clear(const Place& place, llvm::Instruction& position);
  std::uint32_t constant_index(const llvm::Value* base) const;
  /// The value is taken as it is from here on.
  void pin_value(llvm::Value* value, std::uint32_t reason, std::uint32_t subject, llvm::Instruction& position);

  // Variadic arguments (shadow_variadic.cpp)
  void pass_variadic(llvm::CallBase& call);
  void take_variadic(llvm::Instruction& position);

  // Calls (shadow_calls.cpp)
  void visit_call(llvm::CallBase& call);
  bool visit_intrinsic(llvm::CallBase& call);
  bool visit_library_call(llvm::CallBase& call, llvm::Function& callee);
  void visit_assembly(llvm::CallBase& call);
  void visit_allocation_call(llvm::CallBase& call, RuntimeFunction f);
  void visit_make_symbolic(llvm::CallBase& call);
  void visit_property(llvm::CallBase& call, RuntimeFunction f);
  void visit_error(llvm::CallBase& call, std::uint32_t kind);
  void visit_program_call(llvm::CallBase& call, llvm::Function* callee);
  void visit_external_call(llvm::CallBase& call, const llvm::Function& callee);
  void visit_mismatched_call(llvm::CallBase& call);
  void clear_written(llvm::CallBase& call, const llvm::Function& callee);
  void pass_arguments(llvm::CallBase& call);
  void take_results(llvm::CallBase& call);
  bool takes_arguments(const llvm::Function& callee) const;
  /// If not, it leaves nothing in the table of results.
  bool returns_symbolic(const llvm::Function& callee);
  /// The first instruction after a call, on the way where it has a result.
  llvm::Instruction& after(llvm::CallBase& call);
  std::uint32_t external_index(const llvm::Function& callee);
  /// Takes a call out whose result, if it has one, means nothing.
  void remove(llvm::CallBase& call);

  PreparedModule& prepared_;
  ShadowRuntime& runtime_;
  CheckRuntime& check_runtime_;
  llvm::Function& function_;
  FunctionChecks checks_;
  const llvm::DataLayout& layout_;
  std::vector<PlainRegion*> regions_;
  std::vector<ConcreteLoop> loops_;
  llvm::DenseMap<const llvm::Value*, Shadows> shadows_;
  llvm::SmallVector<llvm::Instruction*, 16> waiting_;
  llvm::SmallVector<std::pair<llvm::PHINode*, Shadows>, 16> phis_;
  llvm::DenseMap<std::pair<const llvm::PHINode*, const llvm::BasicBlock*>, llvm::Value*> exit_shadows_;
  llvm::SmallVector<llvm::AllocaInst*, 4> registered_;
  llvm::DenseMap<const llvm::Function*, bool> returns_symbolic_;
  llvm::Value* saved_stack_ = nullptr;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> saved_tops_;  ///< by llvm.stacksave
};

}  // namespace plumb::instrument
