#include "instrument/shadows/shadow_runtime.h"

#include <string>
#include <string_view>

#include "base/error.h"
#include "instrument/runtime_function.h"
#include "runtime/concolic/runtime.h"

namespace plumb::instrument {
namespace {

struct Declaration {
  const char* name;
  /// The result, then the parameters: i 32 bits, l 64 bits, p pointer, z size, v nothing.
  std::string_view signature;
  int id = -1;  ///< the parameter that `when` tests
};

constexpr std::array<Declaration, kRuntimeFunctionCount> kDeclarations = {{
    {"__plumb_unary", "iiiii"},
    {"__plumb_binary", "iiiiilil"},
    {"__plumb_select", "iiiilil"},
    {"__plumb_float", "iiiilil"},
    {"__plumb_is_concrete", "iplll"},
    {"__plumb_load", "ipi"},
    {"__plumb_store", "vpii"},
    {"__plumb_copied", "vppz"},
    {"__plumb_filled", "vpzi"},
    {"__plumb_cleared", "vpz"},
    {"__plumb_read", "iiipipzi"},
    {"__plumb_write", "viipiilpz", 1},
    {"__plumb_stack_object", "vpz"},
    {"__plumb_malloc", "pz"},
    {"__plumb_calloc", "pzz"},
    {"__plumb_realloc", "ppz"},
    {"__plumb_aligned_alloc", "pzz"},
    {"__plumb_free", "vp"},
    {"__plumb_pin", "viiiil", 3},
    {"__plumb_lost", "vii"},
    {"__plumb_escaped", "vip"},
    {"__plumb_branch", "viii", 2},
    {"__plumb_switch", "viii", 2},
    {"__plumb_call_target", "viip", 1},
    {"__plumb_assume", "viii"},
    {"__plumb_check", "viii"},
    {"__plumb_divisor", "viil", 1},
    {"__plumb_error", "vii"},
    {"__plumb_fork", "i"},
    {"__plumb_nondet", "lip"},
    {"__plumb_make_symbolic", "vpzpi"},
    {"__plumb_variadic_call", "vpi"},
    {"__plumb_variadic_argument", "viiii"},
    {"__plumb_variadic_enter", "vpp"},
    {"__plumb_root", "viip", 1},
    {"__plumb_access", "piipipz"},
    {"__plumb_index", "viill"},
    {"__plumb_block", "viipizi"},
    {"__plumb_overflow", "viiiilil"},
    {"__plumb_shift", "viiil"},
    {"__plumb_alignment", "viipi"},
    {"__plumb_sized", "vpzi"},
}};

const Declaration& declaration(RuntimeFunction f) { return kDeclarations[static_cast<std::size_t>(f)]; }

/// Only what is called in place of the program's own functions is on the way of concrete runs.
bool is_hot(RuntimeFunction f) {
  switch (f) {
    case RuntimeFunction::IsConcrete:
    case RuntimeFunction::Copied:
    case RuntimeFunction::Filled:
    case RuntimeFunction::Cleared:
    case RuntimeFunction::StackObject:
    case RuntimeFunction::Malloc:
    case RuntimeFunction::Calloc:
    case RuntimeFunction::Realloc:
    case RuntimeFunction::AlignedAlloc:
    case RuntimeFunction::Free:
    case RuntimeFunction::Escaped:
    case RuntimeFunction::Fork:
    case RuntimeFunction::Nondet:
    case RuntimeFunction::MakeSymbolic:
    case RuntimeFunction::VariadicCall:
    case RuntimeFunction::VariadicEnter:
      return true;
    default:
      return false;
  }
}

llvm::SmallVector<llvm::Value*, 8> parameters(llvm::Function& function, unsigned first, unsigned count) {
  llvm::SmallVector<llvm::Value*, 8> values;
  for (unsigned i = first; i < first + count; ++i) values.push_back(function.getArg(i));
  return values;
}

/// The blocks of a helper: a test of the id, and what to do in both cases.
struct Choice {
  llvm::BasicBlock* symbolic;
  llvm::BasicBlock* concrete;
};

Choice choose(llvm::Function& helper, llvm::Value* id) {
  llvm::LLVMContext& context = helper.getContext();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", &helper));
  const Choice made{llvm::BasicBlock::Create(context, "symbolic", &helper),
                    llvm::BasicBlock::Create(context, "concrete", &helper)};
  builder.CreateCondBr(builder.CreateIsNotNull(id), made.symbolic, made.concrete);
  return made;
}

}  // namespace

ShadowRuntime::ShadowRuntime(llvm::Module& module, const Build& build)
    : module_(module),
      build_(build),
      word_type_(llvm::Type::getInt32Ty(module.getContext())),
      size_type_(module.getDataLayout().getIntPtrType(module.getContext())),
      pointer_type_(llvm::PointerType::get(module.getContext(), 0)) {}

llvm::ConstantInt* ShadowRuntime::word(std::uint32_t value) const { return llvm::ConstantInt::get(word_type_, value); }

llvm::ConstantInt* ShadowRuntime::size(std::uint64_t value) const { return llvm::ConstantInt::get(size_type_, value); }

llvm::Function* ShadowRuntime::function(RuntimeFunction f) {
  llvm::Function*& made = functions_[static_cast<std::size_t>(f)];
  if (made != nullptr) return made;
  made = runtime_function(module_, declaration(f).name, declaration(f).signature);
  if (!is_hot(f)) made->addFnAttr(llvm::Attribute::Cold);
  if (f == RuntimeFunction::Error) made->setDoesNotReturn();
  return made;
}

llvm::CallInst* ShadowRuntime::call(llvm::IRBuilder<>& builder, RuntimeFunction f,
                                    llvm::ArrayRef<llvm::Value*> arguments) {
  return builder.CreateCall(function(f), arguments);
}

llvm::Function* ShadowRuntime::make_helper(llvm::FunctionType* type, const char* name) {
  llvm::Function* helper = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module_);
  helper->setDoesNotThrow();
  helper->addFnAttr(llvm::Attribute::Cold);
  helper->addFnAttr(llvm::Attribute::NoInline);
  return helper;
}

llvm::CallInst* ShadowRuntime::when(llvm::IRBuilder<>& builder, RuntimeFunction f,
                                    llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::Function*& helper = guarded_[static_cast<std::size_t>(f)];
  if (helper == nullptr) {
    INVARIANT(declaration(f).id >= 0, "a guarded function should have an id to test");
    llvm::FunctionType* const same = function(f)->getFunctionType();
    helper = make_helper(same, "plumb.when");
    const Choice way = choose(*helper, helper->getArg(static_cast<unsigned>(declaration(f).id)));
    llvm::IRBuilder<> code(way.symbolic);
    call(code, f, parameters(*helper, 0, same->getNumParams()));
    code.CreateRetVoid();
    code.SetInsertPoint(way.concrete);
    code.CreateRetVoid();
  }
  return builder.CreateCall(helper, arguments);
}

void ShadowRuntime::lost(llvm::IRBuilder<>& builder, std::uint32_t reason, std::uint32_t subject, llvm::Value* id) {
  if (lost_ == nullptr) {
    lost_ = make_helper(llvm::FunctionType::get(builder.getVoidTy(), {word_type_, word_type_, word_type_}, false),
                        "plumb.lost");
    const Choice way = choose(*lost_, lost_->getArg(2));
    llvm::IRBuilder<> code(way.symbolic);
    call(code, RuntimeFunction::Lost, parameters(*lost_, 0, 2));
    code.CreateRetVoid();
    code.SetInsertPoint(way.concrete);
    code.CreateRetVoid();
  }
  builder.CreateCall(lost_, {word(reason), word(subject), id});
}

llvm::Value* ShadowRuntime::select(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> arguments) {
  if (select_ == nullptr) {
    llvm::Type* value = builder.getInt64Ty();
    select_ = make_helper(
        llvm::FunctionType::get(
            word_type_, {word_type_, word_type_, builder.getInt1Ty(), word_type_, value, word_type_, value}, false),
        "plumb.select");
    const Choice way = choose(*select_, select_->getArg(1));
    llvm::IRBuilder<> code(way.symbolic);
    llvm::SmallVector<llvm::Value*, 8> given = parameters(*select_, 0, 2);
    given.append(parameters(*select_, 3, 4));
    code.CreateRet(call(code, RuntimeFunction::Select, given));
    code.SetInsertPoint(way.concrete);
    code.CreateRet(code.CreateSelect(select_->getArg(2), select_->getArg(3), select_->getArg(5)));
  }
  return builder.CreateCall(select_, arguments);
}

llvm::Value* ShadowRuntime::read(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> arguments) {
  if (read_ == nullptr) {
    read_ = make_helper(function(RuntimeFunction::Read)->getFunctionType(), "plumb.read");
    const Choice way = choose(*read_, read_->getArg(1));
    llvm::IRBuilder<> code(way.symbolic);
    code.CreateRet(call(code, RuntimeFunction::Read, parameters(*read_, 0, 7)));
    code.SetInsertPoint(way.concrete);
    code.CreateRet(call(code, RuntimeFunction::Load, parameters(*read_, 2, 2)));
  }
  return builder.CreateCall(read_, arguments);
}

void ShadowRuntime::store(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> arguments) {
  if (store_ == nullptr) {
    store_ = make_helper(
        llvm::FunctionType::get(builder.getVoidTy(), {pointer_type_, word_type_, word_type_, word_type_}, false),
        "plumb.store");
    const Choice way = choose(*store_, store_->getArg(3));
    llvm::IRBuilder<> code(way.concrete);
    call(code, RuntimeFunction::Store, parameters(*store_, 0, 3));
    code.CreateRetVoid();
    code.SetInsertPoint(way.symbolic);
    code.CreateRetVoid();
  }
  builder.CreateCall(store_, arguments);
}

llvm::GlobalVariable* ShadowRuntime::global(llvm::Type* type, const char* name) {
  return llvm::cast<llvm::GlobalVariable>(module_.getOrInsertGlobal(name, type));
}

llvm::GlobalVariable* ShadowRuntime::filter() {
  return global(llvm::ArrayType::get(llvm::Type::getInt8Ty(module_.getContext()), build_.filter_size()),
                "__plumb_filter");
}

llvm::GlobalVariable* ShadowRuntime::masks() {
  return global(llvm::ArrayType::get(llvm::Type::getInt8Ty(module_.getContext()), build_.masks_size() + 1),
                "__plumb_masks");
}

llvm::GlobalVariable* ShadowRuntime::arguments() {
  return global(llvm::ArrayType::get(word_type_, PLUMB_ARGUMENTS), "__plumb_arguments");
}

llvm::GlobalVariable* ShadowRuntime::results() {
  return global(llvm::ArrayType::get(word_type_, PLUMB_RESULTS), "__plumb_results");
}

llvm::GlobalVariable* ShadowRuntime::callee() { return global(pointer_type_, "__plumb_callee"); }

llvm::GlobalVariable* ShadowRuntime::stack_top() { return global(word_type_, "__plumb_stack_top"); }

llvm::GlobalVariable* ShadowRuntime::copies() {
  if (copies_ == nullptr) {
    llvm::Type* type = llvm::ArrayType::get(pointer_type_, PLUMB_ARGUMENTS);
    copies_ = global(type, "plumb.copies");
    copies_->setLinkage(llvm::GlobalValue::InternalLinkage);
    copies_->setInitializer(llvm::Constant::getNullValue(type));
  }
  return copies_;
}

}  // namespace plumb::instrument
