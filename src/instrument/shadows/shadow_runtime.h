#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <array>
#include <cstdint>

#include "instrument/build.h"

namespace plumb::instrument {

/// The functions of runtime.h.
enum class RuntimeFunction : std::uint8_t {
  Unary,
  Binary,
  Select,
  FloatOperation,
  IsConcrete,
  Load,
  Store,
  Copied,
  Filled,
  Cleared,
  Read,
  Write,
  StackObject,
  Malloc,
  Calloc,
  Realloc,
  AlignedAlloc,
  Free,
  Pin,
  Lost,
  Escaped,
  Branch,
  Switch,
  CallTarget,
  Assume,
  Check,
  Divisor,
  Error,
  Fork,
  Nondet,
  MakeSymbolic,
  VariadicCall,
  VariadicArgument,
  VariadicEnter,
  Root,
  Access,
  Index,
  Block,
  Overflow,
  Shift,
  Alignment,
  Sized,
};
inline constexpr int kRuntimeFunctionCount = static_cast<int>(RuntimeFunction::Sized) + 1;

/// What instrumented code uses of the runtime, declared in a module as it is asked for. Code that runs only when
/// something is symbolic need not know which shadow it was: `when` and the functions below it test that in functions of
/// the module's own, so that such code has no branches.
class ShadowRuntime {
 public:
  ShadowRuntime(llvm::Module& module, const Build& build);

  llvm::Function* function(RuntimeFunction f);
  llvm::CallInst* call(llvm::IRBuilder<>& builder, RuntimeFunction f, llvm::ArrayRef<llvm::Value*> arguments);
  /// Calls it only if the id among the arguments is not 0. For functions of one id without a result.
  llvm::CallInst* when(llvm::IRBuilder<>& builder, RuntimeFunction f, llvm::ArrayRef<llvm::Value*> arguments);
  /// __plumb_lost if `id` is not 0.
  void lost(llvm::IRBuilder<>& builder, std::uint32_t reason, std::uint32_t subject, llvm::Value* id);
  /// __plumb_select, or the shadow that a concrete condition chooses. Operands: width, condition's id and value (i1),
  /// a's id and value, b's.
  llvm::Value* select(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> arguments);
  /// __plumb_read with these arguments, __plumb_load if the address is concrete.
  llvm::Value* read(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> arguments);
  /// __plumb_store unless the address's id (the last) is not 0: then __plumb_write has done it.
  void store(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> arguments);

  llvm::GlobalVariable* filter();
  llvm::GlobalVariable* masks();
  llvm::GlobalVariable* arguments();
  llvm::GlobalVariable* results();
  llvm::GlobalVariable* callee();
  llvm::GlobalVariable* stack_top();
  /// Where the structures lie that a caller passes as copies, by position in __plumb_arguments: of this module alone.
  llvm::GlobalVariable* copies();

  llvm::Module& module() const noexcept { return module_; }
  const Build& build() const noexcept { return build_; }
  llvm::IntegerType* size_type() const noexcept { return size_type_; }
  llvm::ConstantInt* word(std::uint32_t value) const;
  llvm::ConstantInt* size(std::uint64_t value) const;

 private:
  llvm::Function* make_helper(llvm::FunctionType* type, const char* name);
  llvm::GlobalVariable* global(llvm::Type* type, const char* name);

  llvm::Module& module_;
  Build build_;
  llvm::IntegerType* word_type_;
  llvm::IntegerType* size_type_;
  llvm::PointerType* pointer_type_;
  std::array<llvm::Function*, kRuntimeFunctionCount> functions_{};
  std::array<llvm::Function*, kRuntimeFunctionCount> guarded_{};
  llvm::Function* lost_ = nullptr;
  llvm::Function* select_ = nullptr;
  llvm::Function* read_ = nullptr;
  llvm::Function* store_ = nullptr;
  llvm::GlobalVariable* copies_ = nullptr;
};

}  // namespace plumb::instrument
