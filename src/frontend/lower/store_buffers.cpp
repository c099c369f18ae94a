#include "frontend/lower/store_buffers.h"

#include <fmt/format.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "program/intrinsic.h"

namespace plumb::frontend {
namespace {

constexpr std::string_view kPrefix = "plumb_tso_";

class Buffering {
 public:
  explicit Buffering(llvm::Module& module)
      : module_(module),
        layout_(module.getDataLayout()),
        load_(module.getFunction("plumb_tso_load")),
        store_(module.getFunction("plumb_tso_store")),
        fence_(module.getFunction("plumb_tso_fence")),
        look_(module.getFunction("plumb_tso_look")),
        enter_(module.getFunction("plumb_tso_enter")),
        leave_(module.getFunction("plumb_tso_leave")),
        create_(module.getFunction("plumb_tso_create")) {}

  void run() {
    std::vector<llvm::Function*> functions;
    for (llvm::Function& f : module_) {
      refuse(f);
      if (!f.isDeclaration() && !is_ours(f)) functions.push_back(&f);
    }
    for (llvm::Function* f : functions) {
      bool has_open_variables = false;
      std::vector<llvm::Instruction*> instructions;
      for (llvm::Instruction& i : llvm::instructions(*f)) {
        instructions.push_back(&i);
        if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i))
          has_open_variables = has_open_variables || is_shared(*variable);
      }
      for (llvm::Instruction* i : instructions) change(*i, has_open_variables);
    }
  }

 private:
  static bool is_ours(const llvm::Function& f) { return std::string_view(f.getName()).starts_with(kPrefix); }
  static void refuse(const llvm::Function& f) {
    constexpr std::array<std::string_view, 4> kEnds = {"thrd_create", "thrd_exit", "pthread_key_create",
                                                       "pthread_cancel"};
    if (!f.use_empty() && std::ranges::find(kEnds, std::string_view(f.getName())) != kEnds.end())
      throw Unsupported(fmt::format("'{}' under total store order", std::string_view(f.getName())),
                        "threads of pthread_create() that return or call pthread_exit() are followed");
  }

  /// Others may have its address.
  static bool is_shared(const llvm::Value& object) {
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&object)) return !global->isConstant();
    if (llvm::isa<llvm::AllocaInst>(object)) return llvm::PointerMayBeCaptured(&object, true, true);
    return true;
  }
  static bool leads_to_shared(const llvm::Value* address) {
    llvm::SmallVector<const llvm::Value*, 4> objects;
    llvm::getUnderlyingObjects(address, objects);
    return objects.empty() || std::ranges::any_of(objects, [](const llvm::Value* o) { return is_shared(*o); });
  }
  bool is_word(llvm::Type* type) const {
    if (!type->isIntegerTy() && !type->isPointerTy() && !type->isFloatTy() && !type->isDoubleTy()) return false;
    const std::uint64_t bits = layout_.getTypeSizeInBits(type);
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
  }

  void change(llvm::Instruction& i, bool has_open_variables) {
    llvm::IRBuilder<> builder(&i);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) return change_load(*load, builder);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) return change_store(*store, builder);
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&i))
      return look_at(update->getPointerOperand(), update->getType(), builder);
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i))
      return look_at(exchange->getPointerOperand(), exchange->getCompareOperand()->getType(), builder);
    if (const auto* order = llvm::dyn_cast<llvm::FenceInst>(&i)) {
      const bool is_full = order->getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent &&
                           order->getSyncScopeID() != llvm::SyncScope::SingleThread;
      if (is_full) fence(builder);
      return;
    }
    // Variables that others have the address of end here.
    if (has_open_variables && (llvm::isa<llvm::ReturnInst>(i) || i.isLifetimeStartOrEnd())) return fence(builder);
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&i)) change_call(*call, builder);
  }

  void fence(llvm::IRBuilder<>& builder) { builder.CreateCall(fence_); }

  /// Looks at any memory.
  void look(llvm::IRBuilder<>& builder) {
    builder.CreateCall(look_, {llvm::Constant::getNullValue(builder.getPtrTy()), builder.getInt64(0)});
  }
  void look_at(llvm::Value* address, llvm::Type* type, llvm::IRBuilder<>& builder) {
    builder.CreateCall(look_, {address, builder.getInt64(layout_.getTypeStoreSize(type).getFixedValue())});
  }

  llvm::Value* size_of(llvm::Type* type, llvm::IRBuilder<>& builder) const {
    return builder.getInt8(static_cast<std::uint8_t>(layout_.getTypeStoreSize(type).getFixedValue()));
  }

  void change_load(llvm::LoadInst& load, llvm::IRBuilder<>& builder) {
    if (!leads_to_shared(load.getPointerOperand())) return;
    llvm::Type* type = load.getType();
    if (!is_word(type)) return look_at(load.getPointerOperand(), type, builder);
    llvm::Value* word = builder.CreateCall(load_, {load.getPointerOperand(), size_of(type, builder)});
    llvm::Type* number = builder.getIntNTy(static_cast<unsigned>(layout_.getTypeSizeInBits(type)));
    llvm::Value* value = builder.CreateTrunc(word, number);
    if (type->isPointerTy())
      value = builder.CreateIntToPtr(value, type);
    else if (type != number)
      value = builder.CreateBitCast(value, type);
    load.replaceAllUsesWith(value);
    value->takeName(&load);
    load.eraseFromParent();
  }

  void change_store(llvm::StoreInst& store, llvm::IRBuilder<>& builder) {
    if (!leads_to_shared(store.getPointerOperand())) return;
    llvm::Value* value = store.getValueOperand();
    llvm::Type* type = value->getType();
    if (!is_word(type)) return look_at(store.getPointerOperand(), type, builder);
    llvm::Type* number = builder.getIntNTy(static_cast<unsigned>(layout_.getTypeSizeInBits(type)));
    if (type->isPointerTy())
      value = builder.CreatePtrToInt(value, number);
    else if (type != number)
      value = builder.CreateBitCast(value, number);
    builder.CreateCall(
        store_, {store.getPointerOperand(), size_of(type, builder), builder.CreateZExt(value, builder.getInt64Ty())});
    if (store.getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent) fence(builder);
    store.eraseFromParent();
  }

  void change_call(llvm::CallBase& call, llvm::IRBuilder<>& builder) {
    if (llvm::isa<llvm::MemIntrinsic>(call)) return look(builder);
    if (llvm::isa<llvm::IntrinsicInst>(call)) return;
    const auto* callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
    if (callee == nullptr) return look(builder);
    const std::string_view name = callee->getName();
    if (name == "pthread_create") {
      call.setCalledOperand(create_);
      return;
    }
    const bool begins = name == "__VERIFIER_atomic_begin" || name == "plumb_atomic_begin";
    const bool ends = name == "__VERIFIER_atomic_end" || name == "plumb_atomic_end";
    const bool is_section = !begins && !ends && name.starts_with("__VERIFIER_atomic_");
    if (begins || is_section) look(builder);
    if (ends) builder.CreateCall(leave_);
    if (is_section) builder.CreateCall(enter_);
    if (begins || is_section) {
      llvm::IRBuilder<> behind(call.getNextNode());
      behind.SetCurrentDebugLocation(call.getDebugLoc());
      behind.CreateCall(begins ? enter_ : leave_);
    }
    if (!begins && !ends && !is_section && callee->isDeclaration() && !is_silent(name)) {
      // Those of threads look at what is theirs alone.
      const bool is_of_threads = name.starts_with("pthread_") || name.starts_with("sem_") || name.starts_with("sched_");
      is_of_threads ? fence(builder) : look(builder);
    }
  }

  /// It looks at no memory, and no thread waits in it.
  static bool is_silent(std::string_view name) {
    using program::Intrinsic;
    const auto what = program::intrinsic_of(name);
    if (!what) return false;
    return *what == Intrinsic::Nondet || *what == Intrinsic::Assume || *what == Intrinsic::Error ||
           *what == Intrinsic::AssertFail || *what == Intrinsic::Abort;
  }

  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  llvm::Function* load_;
  llvm::Function* store_;
  llvm::Function* fence_;
  llvm::Function* look_;
  llvm::Function* enter_;
  llvm::Function* leave_;
  llvm::Function* create_;
};

}  // namespace

void buffer_stores(llvm::Module& module) {
  const llvm::Function* load = module.getFunction("plumb_tso_load");
  if (load != nullptr && !load->isDeclaration()) Buffering(module).run();
}

}  // namespace plumb::frontend
