//   %seen = load i32, ptr @n, !dbg !7           call void @plumb_order_access(i32 4, i32 23)
//                                         =>    %seen = load i32, ptr @n, !dbg !7
//   %r = call i32 @pthread_join(…)              %r = call i32 @plumb_ordered_pthread_join(…, i32 9, i32 3)
#include "instrument/order_points.h"

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "frontend/lower/lowering.h"
#include "instrument/build_subject.h"
#include "semantics/thread_calls.h"

namespace plumb::instrument {
namespace {

constexpr std::array<std::string_view, 5> kBlocking = {"pthread_mutex_lock", "pthread_join", "pthread_rwlock_rdlock",
                                                       "pthread_rwlock_wrlock", "sem_wait"};
/// Beside those, what replay_order.c has.
constexpr std::array<std::string_view, 15> kReplaced = {"pthread_create",
                                                        "thrd_create",
                                                        "pthread_exit",
                                                        "thrd_exit",
                                                        "thrd_join",
                                                        "mtx_lock",
                                                        "pthread_mutex_timedlock",
                                                        "pthread_mutex_clocklock",
                                                        "pthread_rwlock_timedrdlock",
                                                        "pthread_rwlock_timedwrlock",
                                                        "mtx_timedlock",
                                                        "sem_timedwait",
                                                        "pthread_cond_wait",
                                                        "cnd_wait",
                                                        "pthread_barrier_wait"};

bool is_access(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::MemIntrinsic>(
      instruction);
}

/// The name of the function of the library of threads that it calls; empty if it calls none.
llvm::StringRef called(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration() || !semantics::thread_call(std::string_view(callee->getName())))
    return {};
  return callee->getName();
}

/// In order.
bool ends_run(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::ReturnInst>(instruction)) return instruction.getFunction()->getName() == "main";
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  constexpr std::array<std::string_view, 4> kExits = {"exit", "_exit", "_Exit", "quick_exit"};
  return callee != nullptr && std::ranges::find(kExits, std::string_view(callee->getName())) != kExits.end();
}

class Points {
 public:
  explicit Points(llvm::Module& module) : module_(module), number_(llvm::Type::getInt32Ty(module.getContext())) {
    access_ =
        module.getOrInsertFunction("plumb_order_access", llvm::Type::getVoidTy(module.getContext()), number_, number_);
    call_ = module.getOrInsertFunction("plumb_order_call", number_, number_, number_);
    end_run_ = module.getOrInsertFunction("plumb_order_end_run", llvm::Type::getVoidTy(module.getContext()));
  }

  void add(llvm::Instruction& instruction) {
    llvm::IRBuilder<> builder(&instruction);
    if (ends_run(instruction)) {
      builder.CreateCall(end_run_);
      return;
    }
    const llvm::DebugLoc& place = instruction.getDebugLoc();
    const std::array<llvm::Value*, 2> words = {builder.getInt32(place.getLine()), builder.getInt32(place.getCol())};
    const llvm::StringRef name = called(instruction);
    if (name.empty()) {
      builder.CreateCall(access_, words);
    } else if (can_block_in_order(name) || std::ranges::find(kReplaced, std::string_view(name)) != kReplaced.end()) {
      replace(llvm::cast<llvm::CallInst>(instruction), builder, words);
    } else {
      builder.CreateCall(call_, words);
    }
  }

 private:
  void replace(llvm::CallInst& call, llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> words) {
    std::vector<llvm::Value*> arguments(call.arg_begin(), call.arg_end());
    arguments.insert(arguments.end(), words.begin(), words.end());
    std::vector<llvm::Type*> types;
    for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
    const llvm::FunctionCallee callee =
        module_.getOrInsertFunction(("plumb_ordered_" + call.getCalledFunction()->getName()).str(),
                                    llvm::FunctionType::get(call.getType(), types, false));
    llvm::CallInst* made = builder.CreateCall(callee, arguments);
    call.replaceAllUsesWith(made);
    call.eraseFromParent();
  }

  llvm::Module& module_;
  llvm::Type* number_;
  llvm::FunctionCallee access_;
  llvm::FunctionCallee call_;
  llvm::FunctionCallee end_run_;
};

}  // namespace

bool can_block_in_order(std::string_view function) { return std::ranges::find(kBlocking, function) != kBlocking.end(); }

void add_order_points(llvm::Module& module) {
  std::vector<llvm::Instruction*> found;
  for (llvm::Function& function : module) {
    if (function.hasFnAttribute(frontend::kModelAttribute)) continue;
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block) {
        const llvm::DebugLoc& place = instruction.getDebugLoc();
        const bool has_place = place && place.getLine() != 0;
        if (ends_run(instruction) || (has_place && (is_access(instruction) || !called(instruction).empty())))
          found.push_back(&instruction);
      }
  }
  Points points(module);
  for (llvm::Instruction* instruction : found) points.add(*instruction);
}

}  // namespace plumb::instrument
