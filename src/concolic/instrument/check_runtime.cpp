#include "concolic/instrument/check_runtime.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

#include <string>
#include <string_view>

#include "concolic/instrument/runtime_function.h"

namespace plumb::concolic {
namespace {

struct Declaration {
  const char* name;
  /// The result, then the parameters: i 32 bits, l 64 bits, p pointer, z size, v nothing.
  std::string_view signature;
  bool is_rare = false;
};

constexpr std::array<Declaration, kCheckFunctionCount> kDeclarations = {{
    {"__plumb_bad_access", "pipi", true},
    {"__plumb_bad_offset", "pipipz", true},
    {"__plumb_bad_index", "vill", true},
    {"__plumb_nowhere", "p", true},
    {"__plumb_bad_value", "viill", true},
    {"__plumb_check_block", "iipzi"},
    {"__plumb_room", "zpz"},
    {"__plumb_is_addressable", "iplll"},
    {"__plumb_enter_frame", "pp"},
    {"__plumb_leave_frame", "vpp"},
    {"__plumb_entry_returned", "v"},
    {"__plumb_error", "vii"},
}};

/// Of what tells of defects: it writes to nothing that the program or its tests read, the map above all, so that a test
/// which was made before it need not be made again.
llvm::MemoryEffects effects() { return llvm::MemoryEffects::readOnly() | llvm::MemoryEffects::inaccessibleMemOnly(); }

const Declaration& declaration(CheckFunction f) { return kDeclarations[static_cast<std::size_t>(f)]; }

}  // namespace

CheckRuntime::CheckRuntime(llvm::Module& module, CheckedBuild build)
    : module_(module),
      build_(build),
      word_type_(llvm::Type::getInt32Ty(module.getContext())),
      size_type_(module.getDataLayout().getIntPtrType(module.getContext())),
      pointer_type_(llvm::PointerType::get(module.getContext(), 0)) {}

// The calling convention exists for 64 bits alone.
bool CheckRuntime::is_quick() const {
  return build_ == CheckedBuild::Subject && module_.getDataLayout().getPointerSize() == 8;
}

llvm::ConstantInt* CheckRuntime::word(std::uint32_t value) const { return llvm::ConstantInt::get(word_type_, value); }

llvm::ConstantInt* CheckRuntime::size(std::uint64_t value) const { return llvm::ConstantInt::get(size_type_, value); }

llvm::Function* CheckRuntime::function(CheckFunction f) {
  llvm::Function*& made = functions_[static_cast<std::size_t>(f)];
  if (made != nullptr) return made;
  made = runtime_function(module_, declaration(f).name, declaration(f).signature);
  if (declaration(f).is_rare || f == CheckFunction::CheckBlock) made->setMemoryEffects(effects());
  if (declaration(f).is_rare || f == CheckFunction::Error) made->addFnAttr(llvm::Attribute::Cold);
  if (f == CheckFunction::Error) made->setDoesNotReturn();
  return made;
}

llvm::Function* CheckRuntime::quick(CheckFunction f) {
  llvm::Function*& made = quick_[static_cast<std::size_t>(f)];
  if (made != nullptr) return made;
  llvm::FunctionType* given = function(f)->getFunctionType();
  const bool gives_place = f == CheckFunction::BadIndex;
  made = llvm::Function::Create(gives_place ? llvm::FunctionType::get(pointer_type_, given->params(), false) : given,
                                llvm::GlobalValue::InternalLinkage,
                                std::string("plumb.") + (declaration(f).name + sizeof "__plumb_" - 1), module_);
  made->setDoesNotThrow();
  made->addFnAttr(llvm::Attribute::Cold);
  made->addFnAttr(llvm::Attribute::NoInline);
  made->setMemoryEffects(effects());
  made->setCallingConv(llvm::CallingConv::PreserveMost);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module_.getContext(), "entry", made));
  llvm::SmallVector<llvm::Value*, 6> arguments;
  for (llvm::Argument& argument : made->args()) arguments.push_back(&argument);
  llvm::Value* result = builder.CreateCall(function(f), arguments);
  if (gives_place) result = builder.CreateCall(function(CheckFunction::Nowhere));
  if (made->getReturnType()->isVoidTy()) {
    builder.CreateRetVoid();
  } else {
    builder.CreateRet(result);
  }
  return made;
}

llvm::CallInst* CheckRuntime::call(llvm::IRBuilder<>& builder, CheckFunction f,
                                   llvm::ArrayRef<llvm::Value*> arguments) {
  if (!is_quick() || !declaration(f).is_rare) return builder.CreateCall(function(f), arguments);
  llvm::CallInst* made = builder.CreateCall(quick(f), arguments);
  made->setCallingConv(llvm::CallingConv::PreserveMost);
  return made;
}

llvm::Value* CheckRuntime::bad_index(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::CallInst* told = call(builder, CheckFunction::BadIndex, arguments);
  return is_quick() ? told : call(builder, CheckFunction::Nowhere, {});
}

llvm::MDNode* CheckRuntime::scope_of_map() {
  if (scope_of_map_ == nullptr) {
    llvm::MDBuilder builder(module_.getContext());
    llvm::MDNode* scope = builder.createAnonymousAliasScope(builder.createAnonymousAliasScopeDomain("plumb"), "map");
    scope_of_map_ = llvm::MDNode::get(module_.getContext(), {scope});
  }
  return scope_of_map_;
}

void CheckRuntime::mark_load_of_map(llvm::LoadInst& load) {
  load.setMetadata(llvm::LLVMContext::MD_alias_scope, scope_of_map());
}

void CheckRuntime::mark_stores(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (llvm::isa<llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::AnyMemIntrinsic>(instruction))
      instruction.setMetadata(
          llvm::LLVMContext::MD_noalias,
          llvm::MDNode::concatenate(instruction.getMetadata(llvm::LLVMContext::MD_noalias), scope_of_map()));
}

}  // namespace plumb::concolic
