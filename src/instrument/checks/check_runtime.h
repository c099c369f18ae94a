#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <array>
#include <cstdint>
#include <utility>

#include "instrument/build.h"
#include "instrument/checks/check_streams.h"

namespace plumb::instrument {

/// The functions of runtime/checks/checks.h.
enum class CheckFunction : std::uint8_t {
  BadAccess,
  BadOffset,
  BadIndex,
  Nowhere,
  BadValue,
  CheckBlock,
  Room,
  EnterFrame,
  LeaveFrame,
  EnterScope,
  LeaveScope,
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
  CheckRuntime(llvm::Module& module, CheckedBuild build, const Build& machine = {});

  llvm::CallInst* call(llvm::IRBuilder<>& builder, CheckFunction f, llvm::ArrayRef<llvm::Value*> arguments);
  /// Tells of an index that is not below its limit, and gives a place for the pointer to lead to.
  llvm::Value* bad_index(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> arguments);

  /// There is a map to look at; without one every access asks the runtime (BadAccess, CheckBlock).
  bool has_map() const noexcept { return !machine_.is_bare_metal(); }
  /// What the map of addressability says of the unit that the address (a number) lies in, and of those behind it.
  llvm::Value* load_of_map(llvm::IRBuilder<>& builder, llvm::Value* number, unsigned bits);
  /// Only the runtime writes to the map: with this said of loads of it and of all stores, the optimiser sees that a
  /// test that was made already need not be made again.
  void mark_stores(llvm::Function& function);
  /// Looks at the map for an access (its word as BadAccess has it) of no more than a unit at the address, where all up
  /// to the limit was found addressable before. Gives where the access is to go, then the new limit.
  std::pair<llvm::Value*, llvm::Value*> look(llvm::IRBuilder<>& builder, std::uint32_t site, std::uint32_t access,
                                             llvm::Value* address, llvm::Value* limit);

  llvm::Module& module() const noexcept { return module_; }
  CheckedBuild build() const noexcept { return build_; }
  const Build& machine() const noexcept { return machine_; }
  /// As they were before any code was added.
  const QuietFunctions& quiet_functions() const noexcept { return quiet_functions_; }
  llvm::IntegerType* size_type() const noexcept { return size_type_; }
  llvm::PointerType* pointer_type() const noexcept { return pointer_type_; }
  llvm::ConstantInt* word(std::uint32_t value) const;
  llvm::ConstantInt* size(std::uint64_t value) const;

 private:
  llvm::Function* function(CheckFunction f);
  llvm::Function* quick(CheckFunction f);
  llvm::Function* look_function();
  void define_look(llvm::Function& function);

  bool is_quick() const;
  llvm::MDNode* scope_of_map();

  llvm::Module& module_;
  CheckedBuild build_;
  Build machine_;
  llvm::IntegerType* word_type_;
  llvm::IntegerType* size_type_;
  llvm::PointerType* pointer_type_;
  QuietFunctions quiet_functions_;
  llvm::MDNode* scope_of_map_ = nullptr;
  llvm::Function* look_ = nullptr;
  std::array<llvm::Function*, kCheckFunctionCount> functions_{};
  std::array<llvm::Function*, kCheckFunctionCount> quick_{};
};

}  // namespace plumb::instrument
