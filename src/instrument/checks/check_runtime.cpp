#include "instrument/checks/check_runtime.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

#include <string>
#include <string_view>

#include "instrument/runtime_function.h"
#include "program/platform.h"
#include "runtime/checks/checks.h"

namespace plumb::instrument {
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
    {"__plumb_enter_frame", "pp"},
    {"__plumb_leave_frame", "vpp"},
    {"__plumb_enter_scope", "vpz"},
    {"__plumb_leave_scope", "vpz"},
    {"__plumb_entry_returned", "v"},
    {"__plumb_error", "vii"},
}};

/// Of what tells of defects: it writes to nothing that the program or its tests read, the map above all, so that a test
/// which was made before it need not be made again.
llvm::MemoryEffects effects() { return llvm::MemoryEffects::readOnly() | llvm::MemoryEffects::inaccessibleMemOnly(); }

const Declaration& declaration(CheckFunction f) { return kDeclarations[static_cast<std::size_t>(f)]; }

}  // namespace

CheckRuntime::CheckRuntime(llvm::Module& module, CheckedBuild build, const Build& machine)
    : module_(module),
      build_(build),
      machine_(machine),
      word_type_(llvm::Type::getInt32Ty(module.getContext())),
      size_type_(module.getDataLayout().getIntPtrType(module.getContext())),
      pointer_type_(llvm::PointerType::get(module.getContext(), 0)),
      quiet_functions_(module) {}

// Not all machines have the calling convention.
bool CheckRuntime::is_quick() const {
  const bool is_known = program::platform_of(module_.getTargetTriple()).machine == program::Machine::X86_64;
  return build_ == CheckedBuild::Subject && is_known && module_.getDataLayout().getPointerSize() == 8;
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

llvm::Value* CheckRuntime::load_of_map(llvm::IRBuilder<>& builder, llvm::Value* number, unsigned bits) {
  llvm::Value* unit = builder.CreateAdd(builder.CreateLShr(number, PLUMB_UNIT_BITS), size(map_offset(module_)));
  llvm::LoadInst* entry =
      builder.CreateAlignedLoad(builder.getIntNTy(bits), builder.CreateIntToPtr(unit, pointer_type_), llvm::Align(1));
  entry->setMetadata(llvm::LLVMContext::MD_alias_scope, scope_of_map());
  return entry;
}

llvm::Function* CheckRuntime::look_function() {
  if (look_ != nullptr) return look_;
  llvm::Type* result = llvm::StructType::get(pointer_type_, pointer_type_);
  look_ = llvm::Function::Create(
      llvm::FunctionType::get(result, {word_type_, pointer_type_, word_type_, pointer_type_}, false),
      llvm::GlobalValue::InternalLinkage, "plumb.look", module_);
  look_->setDoesNotThrow();
  look_->addFnAttr(llvm::Attribute::NoInline);
  look_->setMemoryEffects(effects());
  if (is_quick()) look_->setCallingConv(llvm::CallingConv::PreserveMost);
  define_look(*look_);
  return look_;
}

void CheckRuntime::define_look(llvm::Function& function) {
  constexpr std::uint64_t kUnit = std::uint64_t{1} << PLUMB_UNIT_BITS;
  llvm::Value* address = function.getArg(1);
  llvm::Value* access = function.getArg(2);
  llvm::Value* limit = function.getArg(3);
  llvm::BasicBlock* bad = llvm::BasicBlock::Create(module_.getContext(), "bad", &function);
  llvm::BasicBlock* right = llvm::BasicBlock::Create(module_.getContext(), "right", &function);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module_.getContext(), "entry", &function, bad));
  const auto give = [&](llvm::BasicBlock* block, llvm::Value* place, llvm::Value* reach) {
    builder.SetInsertPoint(block);
    llvm::Value* both = llvm::PoisonValue::get(function.getReturnType());
    builder.CreateRet(builder.CreateInsertValue(builder.CreateInsertValue(both, place, 0), reach, 1));
  };
  llvm::Value* number = builder.CreatePtrToInt(address, size_type_);
  llvm::Value* units = load_of_map(builder, number, 8 * static_cast<unsigned>(kUnit));
  llvm::Value* entry = builder.CreateTrunc(units, builder.getInt8Ty());
  llvm::Value* is_whole = builder.CreateIsNull(entry);
  llvm::Value* last = builder.CreateAdd(builder.CreateAnd(builder.CreateTrunc(number, word_type_), word(kUnit - 1)),
                                        builder.CreateAnd(access, word(~PLUMB_ACCESS_WRITE)));
  llvm::Value* is_inside = builder.CreateICmpSLE(last, builder.CreateSExt(entry, word_type_));
  // What may be accessed from the start of the unit on: eight units, the unit, or a part of it. If there is a gap to
  // what was found before, it is forgotten again.
  llvm::Value* part = builder.CreateSelect(is_whole, size(kUnit), builder.CreateZExt(entry, size_type_));
  llvm::Value* span = builder.CreateSelect(builder.CreateIsNull(units), size(kUnit * kUnit), part);
  llvm::Value* start = builder.CreateAnd(number, size(~(kUnit - 1)));
  llvm::Value* has_gap = builder.CreateICmpUGT(start, builder.CreatePtrToInt(limit, size_type_));
  llvm::Value* reach = builder.CreateIntToPtr(builder.CreateAdd(start, span), pointer_type_);
  reach = builder.CreateSelect(has_gap, limit, reach);
  builder.CreateCondBr(builder.CreateOr(is_whole, is_inside), right, bad);
  give(right, address, reach);
  builder.SetInsertPoint(bad);
  give(bad, call(builder, CheckFunction::BadAccess, {function.getArg(0), address, access}), limit);
}

std::pair<llvm::Value*, llvm::Value*> CheckRuntime::look(llvm::IRBuilder<>& builder, std::uint32_t site,
                                                         std::uint32_t access, llvm::Value* address,
                                                         llvm::Value* limit) {
  llvm::CallInst* made = builder.CreateCall(look_function(), {word(site), address, word(access), limit});
  made->setCallingConv(look_->getCallingConv());
  return {builder.CreateExtractValue(made, 0), builder.CreateExtractValue(made, 1)};
}

void CheckRuntime::mark_stores(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (llvm::isa<llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::AnyMemIntrinsic>(instruction))
      instruction.setMetadata(
          llvm::LLVMContext::MD_noalias,
          llvm::MDNode::concatenate(instruction.getMetadata(llvm::LLVMContext::MD_noalias), scope_of_map()));
}

}  // namespace plumb::instrument
