#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <array>
#include <cstdint>

namespace plumb::concolic {

/// The functions of runtime/checks/checks.h.
enum class CheckFunction : std::uint8_t {
  BadAccess,
  BadOffset,
  BadIndex,
  Nowhere,
  BadValue,
  CheckBlock,
  Room,
  IsAddressable,
  EnterFrame,
  LeaveFrame,
  EntryReturned,
  Error,  ///< of runtime/concolic/runtime.h: ends the run
};
inline constexpr int kCheckFunctionCount = static_cast<int>(CheckFunction::Error) + 1;

/// The instrumented program, or the one that shows what a test does.
enum class CheckedBuild : std::uint8_t { Subject, Replay };

/// What code with checks uses of the runtime, declared in a module as it is asked for.
class CheckRuntime {
 public:
  /// In the subject, what is called when a test fails is called through functions of the module's own that keep all
  /// registers, so that the code beside it loses nothing. A replay's call stacks would show them.
  CheckRuntime(llvm::Module& module, CheckedBuild build);

  llvm::CallInst* call(llvm::IRBuilder<>& builder, CheckFunction f, llvm::ArrayRef<llvm::Value*> arguments);
  /// Tells of an index that is not below its limit, and gives a place for the pointer to lead to.
  llvm::Value* bad_index(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> arguments);

  /// Only the runtime writes to the map of addressability: with this said of loads of it and of all stores, the
  /// optimiser sees that a test that was made already need not be made again.
  void mark_load_of_map(llvm::LoadInst& load);
  void mark_stores(llvm::Function& function);

  llvm::Module& module() const noexcept { return module_; }
  CheckedBuild build() const noexcept { return build_; }
  llvm::IntegerType* size_type() const noexcept { return size_type_; }
  llvm::PointerType* pointer_type() const noexcept { return pointer_type_; }
  llvm::ConstantInt* word(std::uint32_t value) const;
  llvm::ConstantInt* size(std::uint64_t value) const;

 private:
  llvm::Function* function(CheckFunction f);
  llvm::Function* quick(CheckFunction f);

  bool is_quick() const;
  llvm::MDNode* scope_of_map();

  llvm::Module& module_;
  CheckedBuild build_;
  llvm::IntegerType* word_type_;
  llvm::IntegerType* size_type_;
  llvm::PointerType* pointer_type_;
  llvm::MDNode* scope_of_map_ = nullptr;
  std::array<llvm::Function*, kCheckFunctionCount> functions_{};
  std::array<llvm::Function*, kCheckFunctionCount> quick_{};
};

}  // namespace plumb::concolic
