// Calls. Arguments and results take their shadows along in the runtime's tables, marked with the callee's address, so
// that a function that is called by foreign code does not take what was meant for another. What the environment and the
// verifiers' vocabulary offer is replaced by the runtime's; other functions without code get concrete values.
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

#include "base/error.h"
#include "frontend/lower/lower_library.h"
#include "frontend/lower/operators.h"
#include "instrument/shadows/shadow_function.h"
#include "instrument/shadows/shadow_types.h"
#include "instrument/sites/external_functions.h"
#include "runtime/concolic/runtime.h"

namespace plumb::instrument {

using program::Intrinsic;

namespace {

/// Without instructions it only keeps the compiler from optimising, and may hand its operand on.
bool is_barrier(const llvm::CallBase& call, const llvm::InlineAsm& assembly) {
  if (!llvm::StringRef(assembly.getAsmString()).trim().empty()) return false;
  if (call.getType()->isVoidTy()) return true;
  const llvm::InlineAsm::ConstraintInfoVector constraints = assembly.ParseConstraints();
  return constraints.size() >= 2 && call.arg_size() == 1 && constraints[0].Type == llvm::InlineAsm::isOutput &&
         !constraints[0].isIndirect && constraints[1].Codes.size() == 1 && constraints[1].Codes.front() == "0" &&
         call.getArgOperand(0)->getType() == call.getType();
}

bool returns_twice(const llvm::CallBase& call, const llvm::Function& callee) {
  const auto intrinsic = program::intrinsic_of(callee.getName());
  return call.hasFnAttr(llvm::Attribute::ReturnsTwice) || intrinsic == Intrinsic::SetJump;
}

}  // namespace

void FunctionShadows::visit_call(llvm::CallBase& call) {
  const bool is_intrinsic = llvm::isa<llvm::IntrinsicInst>(call);
  if (is_intrinsic && visit_intrinsic(call)) return;
  flush(call);
  llvm::Value* called = call.getCalledOperand()->stripPointerCastsAndAliases();
  if (llvm::isa<llvm::InlineAsm>(called)) return visit_assembly(call);
  auto* callee = llvm::dyn_cast<llvm::Function>(called);
  if (llvm::isa<llvm::CallInst>(call) && llvm::cast<llvm::CallInst>(call).isMustTailCall()) restore_stack(call);
  if (callee == nullptr) {
    llvm::Value* target = call.getCalledOperand();
    if (llvm::Value* id = shadow(target, call); !is_zero(id)) {
      CodeBuilder builder(call);
      CodeBuilder code(*rarely(builder.CreateIsNotNull(id), call));
      runtime_.call(code, RuntimeFunction::CallTarget, {runtime_.word(site_of(call)), id, target});
    }
    return visit_program_call(call, nullptr);
  }
  if (!is_intrinsic && visit_library_call(call, *callee)) return;
  if (is_intrinsic || callee->isDeclaration()) return visit_external_call(call, *callee);
  if (call.getFunctionType() != callee->getFunctionType()) return visit_mismatched_call(call);
  visit_program_call(call, callee);
}

bool FunctionShadows::visit_intrinsic(llvm::CallBase& call) {
  if (llvm::isa<llvm::AnyMemIntrinsic>(call)) {
    flush(call);
    return visit_memory_intrinsic(call);
  }
  if (visit_memory_intrinsic(call)) return true;
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::invariant_start:
    case llvm::Intrinsic::vastart:
      return true;
    case llvm::Intrinsic::vacopy: {
      // A va_list holds addresses alone, which are concrete; what lay there before is overwritten.
      const std::uint32_t size = size_of_variable_arguments(*function_.getParent());
      clear({call.getArgOperand(0), runtime_.word(0), size, 0, {}}, *call.getNextNode());
      return true;
    }
    default:
      return frontend::is_ignored_intrinsic(call.getIntrinsicID());
  }
}

llvm::Instruction& FunctionShadows::after(llvm::CallBase& call) {
  if (!call.isTerminator()) return *call.getNextNode();
  auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call);
  if (invoke == nullptr) throw Unsupported("asm goto", "build the program without it");
  // On the edge where there is a result, which may be one of several into the block.
  return *llvm::SplitEdge(invoke->getParent(), invoke->getNormalDest())->getTerminator();
}

void FunctionShadows::remove(llvm::CallBase& call) {
  if (!call.getType()->isVoidTy()) call.replaceAllUsesWith(llvm::PoisonValue::get(call.getType()));
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    llvm::BranchInst::Create(invoke->getNormalDest(), invoke->getIterator());
    invoke->getUnwindDest()->removePredecessor(invoke->getParent());
  }
  shadows_.erase(&call);
  call.eraseFromParent();
}

// --- What the runtime has a function for ---

bool FunctionShadows::visit_library_call(llvm::CallBase& call, llvm::Function& callee) {
  if (!prepared_.build.is_bare_metal() && callee.isDeclaration() &&
      (callee.getName() == "fork" || callee.getName() == "vfork")) {
    call.setCalledFunction(runtime_.function(RuntimeFunction::Fork));
    return true;
  }
  const auto library = frontend::library_function(callee);
  if (!library || library->form != frontend::LibraryFunction::Form::Intrinsic) return false;
  switch (library->intrinsic) {
    case Intrinsic::MakeSymbolic:
      return visit_make_symbolic(call), true;
    case Intrinsic::Assume:
      return visit_property(call, RuntimeFunction::Assume), true;
    case Intrinsic::Check:
      return visit_property(call, RuntimeFunction::Check), true;
    case Intrinsic::AssertFail:
      return visit_error(call, PLUMB_ERROR_ASSERT), true;
    case Intrinsic::Error:
      return visit_error(call, PLUMB_ERROR_REACHED), true;
    case Intrinsic::Abort:
      return visit_error(call, PLUMB_ERROR_ABORT), true;
    case Intrinsic::Malloc:
      return visit_allocation_call(call, RuntimeFunction::Malloc), true;
    case Intrinsic::Calloc:
      return visit_allocation_call(call, RuntimeFunction::Calloc), true;
    case Intrinsic::Realloc:
      return visit_allocation_call(call, RuntimeFunction::Realloc), true;
    case Intrinsic::AlignedAlloc:
      return visit_allocation_call(call, RuntimeFunction::AlignedAlloc), true;
    case Intrinsic::Free:
      return visit_allocation_call(call, RuntimeFunction::Free), true;
    default:
      return false;
  }
}

void FunctionShadows::visit_allocation_call(llvm::CallBase& call, RuntimeFunction f) {
  const bool is_told = tell_size(call, f);
  for (llvm::Value* argument : call.args())
    if (argument->getType()->isPointerTy() || !is_told)
      pin_value(argument, argument->getType()->isPointerTy() ? PLUMB_PIN_ADDRESS : PLUMB_PIN_SIZE, site_of(call), call);
  llvm::Function* replacement = runtime_.function(f);
  // Sized delete has an argument more; a declaration without prototype may have any.
  if (call.getFunctionType() == replacement->getFunctionType()) {
    call.setCalledFunction(replacement);
  } else {
    call.setCalledOperand(replacement);
  }
  // A new object may lie where one that was symbolic has been.
  shadows_.erase(&call);
}

void FunctionShadows::visit_make_symbolic(llvm::CallBase& call) {
  llvm::Value* memory = call.getArgOperand(0);
  llvm::Value* given = call.getArgOperand(1);
  pin_value(memory, PLUMB_PIN_ADDRESS, site_of(call), call);
  pin_value(given, PLUMB_PIN_SIZE, site_of(call), call);
  CodeBuilder builder(call);
  llvm::Value* size = builder.CreateZExtOrTrunc(given, runtime_.size_type());
  llvm::Value* name = call.arg_size() > 2 ? call.getArgOperand(2) : llvm::ConstantPointerNull::get(builder.getPtrTy());
  const std::uint32_t element = element_size(memory, given, layout_);
  llvm::Value* divides = builder.CreateIsNull(builder.CreateURem(size, runtime_.size(element)));
  runtime_.call(builder, RuntimeFunction::MakeSymbolic,
                {memory, size, name, builder.CreateSelect(divides, runtime_.word(element), runtime_.word(1))});
  remove(call);
}

void FunctionShadows::visit_property(llvm::CallBase& call, RuntimeFunction f) {
  llvm::Value* condition = call.getArgOperand(0);
  const bool is_known = is_tracked(condition->getType(), layout_);
  llvm::Value* id = is_known ? shadow(condition, call) : runtime_.word(0);
  CodeBuilder builder(call);
  llvm::Value* holds = builder.CreateIsNotNull(condition);
  llvm::Value* matters = builder.CreateNot(holds);
  if (!is_zero(id)) matters = builder.CreateOr(matters, builder.CreateIsNotNull(id));
  CodeBuilder code(*rarely(matters, call));
  runtime_.call(code, f,
                {runtime_.word(site_of(call)), code.CreateZExt(holds, code.getInt32Ty()),
                 is_known ? operators(code).is_not_zero(condition) : id});
  remove(call);
}

void FunctionShadows::visit_error(llvm::CallBase& call, std::uint32_t kind) {
  CodeBuilder builder(call);
  runtime_.call(builder, RuntimeFunction::Error, {runtime_.word(kind), runtime_.word(site_of(call))});
  remove(call);
}

// --- Instrumented code ---

bool FunctionShadows::takes_arguments(const llvm::Function& callee) const {
  return std::ranges::any_of(callee.args(), [&](const llvm::Argument& argument) {
    return argument.hasByValAttr() ||
           (prepared_.may_be_symbolic(argument) && has_tracked_leaf(argument.getType(), layout_));
  });
}

void FunctionShadows::visit_program_call(llvm::CallBase& call, llvm::Function* callee) {
  checks_.check_arguments(call);
  if (call.getFunctionType()->isVarArg()) pass_variadic(call);
  if (callee == nullptr || takes_arguments(*callee)) pass_arguments(call);
  if (callee == nullptr && has_tracked_leaf(call.getType(), layout_)) {
    CodeBuilder builder(call);
    builder.CreateStore(llvm::Constant::getNullValue(runtime_.results()->getValueType()), runtime_.results());
  }
  if (callee == nullptr || returns_symbolic(*callee)) take_results(call);
}

void FunctionShadows::pass_arguments(llvm::CallBase& call) {
  llvm::SmallVector<std::pair<unsigned, llvm::Value*>, 8> passed;
  bool is_copied = false;
  llvm::Value* any = runtime_.word(0);
  unsigned index = 0;
  CodeBuilder builder(call);
  for (unsigned argument = 0; argument < call.getFunctionType()->getNumParams(); ++argument) {
    llvm::Value* value = call.getArgOperand(argument);
    if (call.isByValArgument(argument) && index < PLUMB_ARGUMENTS) {
      is_copied = true;
      builder.CreateStore(
          value, builder.CreateConstInBoundsGEP2_32(runtime_.copies()->getValueType(), runtime_.copies(), 0, index));
    }
    const auto parts = leaves(value->getType(), layout_);
    const Shadows shadows = known(value);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!is_tracked(parts[i].type, layout_)) continue;
      if (index < PLUMB_ARGUMENTS) {
        passed.emplace_back(index, shadows[i]);
        if (!is_zero(shadows[i])) any = is_zero(any) ? shadows[i] : builder.CreateOr(any, shadows[i]);
      } else if (!is_zero(shadows[i])) {
        runtime_.lost(builder, PLUMB_PIN_WIDE, site_of(call), shadows[i]);
      }
      ++index;
    }
  }
  if (is_zero(any) && !is_copied) return;
  // Nothing passed means that all are concrete: no function finds itself named as the callee by mistake, as each one
  // that is takes the name away.
  CodeBuilder code(is_copied ? static_cast<llvm::Instruction&>(call) : *rarely(builder.CreateIsNotNull(any), call));
  for (const auto& [slot, id] : passed)
    code.CreateStore(
        id, code.CreateConstInBoundsGEP2_32(runtime_.arguments()->getValueType(), runtime_.arguments(), 0, slot));
  code.CreateStore(call.getCalledOperand()->stripPointerCastsAndAliases(), runtime_.callee());
}

bool FunctionShadows::returns_symbolic(const llvm::Function& callee) {
  const auto [it, is_new] = returns_symbolic_.try_emplace(&callee, false);
  if (!is_new) return it->second;
  for (const llvm::BasicBlock& block : callee)
    if (const auto* result = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
        result != nullptr && result->getReturnValue() != nullptr)
      it->second |= prepared_.may_be_symbolic(*result->getReturnValue());
  return it->second;
}

void FunctionShadows::take_results(llvm::CallBase& call) {
  if (auto* direct = llvm::dyn_cast<llvm::CallInst>(&call); direct != nullptr && direct->isMustTailCall()) return;
  const auto parts = leaves(call.getType(), layout_);
  const bool is_scalar = is_tracked(call.getType(), layout_);
  if (!has_tracked_leaf(call.getType(), layout_) || (is_scalar && !prepared_.may_be_symbolic(call))) return;
  CodeBuilder builder(after(call));
  Shadows made;
  unsigned index = 0;
  for (const Leaf& leaf : parts) {
    const bool has_slot = is_tracked(leaf.type, layout_) && index < PLUMB_RESULTS;
    if (!has_slot) {
      made.push_back(runtime_.word(0));
      continue;
    }
    made.push_back(builder.CreateLoad(
        builder.getInt32Ty(),
        builder.CreateConstInBoundsGEP2_32(runtime_.results()->getValueType(), runtime_.results(), 0, index)));
    ++index;
  }
  shadows_[&call] = std::move(made);
}

void FunctionShadows::visit_mismatched_call(llvm::CallBase& call) {
  // The callee would take the shadows for those of other widths.
  for (llvm::Value* argument : call.args()) pin_value(argument, PLUMB_PIN_UNSUPPORTED, site_of(call), call);
}

// --- Code without instrumentation ---

std::uint32_t FunctionShadows::external_index(const llvm::Function& callee) {
  std::vector<std::string>& names = prepared_.subject.externals;
  const std::string name = callee.getName().str();
  const auto it = std::ranges::find(names, name);
  if (it != names.end()) return static_cast<std::uint32_t>(it - names.begin());
  names.push_back(name);
  return static_cast<std::uint32_t>(names.size() - 1);
}

void FunctionShadows::visit_external_call(llvm::CallBase& call, const llvm::Function& callee) {
  if (returns_twice(call, callee) && saved_stack_ != nullptr && !call.isTerminator()) {
    llvm::Value* top =
        CodeBuilder(call).CreateLoad(llvm::Type::getInt32Ty(function_.getContext()), runtime_.stack_top());
    CodeBuilder(*call.getNextNode()).CreateStore(top, runtime_.stack_top());
  }
  tell_buffers(call);
  const ExternalFunction& known = external_function(std::string_view(callee.getName()));
  if (!known.decides) return checks_.check_arguments(call);
  // What a function only writes tells it nothing.
  const auto is_only_written = [&](unsigned index) {
    return std::ranges::any_of(known.written, [&](const WrittenArgument& w) { return w.argument == index; });
  };
  const bool is_intrinsic = callee.isIntrinsic();
  const std::uint32_t subject = is_intrinsic ? site_of(call) : external_index(callee);
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    llvm::Value* argument = call.getArgOperand(i);
    if (!argument->getType()->isSized()) continue;
    pin_value(argument, is_intrinsic ? PLUMB_PIN_UNSUPPORTED : PLUMB_PIN_CALL, subject, call);
    if (argument->getType()->isPointerTy() && !is_intrinsic && !is_only_written(i) &&
        !llvm::isa<llvm::Function>(argument) && !llvm::isa<llvm::ConstantPointerNull>(argument)) {
      CodeBuilder builder(call);
      runtime_.call(builder, RuntimeFunction::Escaped, {runtime_.word(subject), argument});
    }
  }
  checks_.check_arguments(call);
  clear_written(call, callee);
}

void FunctionShadows::clear_written(llvm::CallBase& call, const llvm::Function& callee) {
  const ExternalFunction& known = external_function(std::string_view(callee.getName()));
  for (const WrittenArgument& written : known.written) {
    if (written.argument >= call.arg_size() || !call.getArgOperand(written.argument)->getType()->isPointerTy())
      continue;
    llvm::Value* address = call.getArgOperand(written.argument);
    CodeBuilder builder(after(call));
    llvm::Value* size = runtime_.size(written.value);
    if (written.size != WrittenArgument::Size::Constant) {
      if (!call.getType()->isIntegerTy()) continue;
      llvm::Value* none = llvm::Constant::getNullValue(call.getType());
      llvm::Value* count = builder.CreateSelect(builder.CreateICmpSGT(&call, none), &call, none);
      count = builder.CreateZExtOrTrunc(count, runtime_.size_type());
      llvm::Value* factor = written.size == WrittenArgument::Size::Result ? size : call.getArgOperand(written.value);
      size = builder.CreateMul(count, builder.CreateZExtOrTrunc(factor, runtime_.size_type()));
    }
    size = builder.CreateSelect(builder.CreateIsNull(address), runtime_.size(0), size);
    runtime_.call(builder, RuntimeFunction::Cleared, {address, size});
  }
}

void FunctionShadows::visit_assembly(llvm::CallBase& call) {
  const auto& assembly = *llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  if (is_barrier(call, assembly)) {
    if (!call.getType()->isVoidTy()) shadows_[&call] = known(call.getArgOperand(0));
    return;
  }
  for (llvm::Value* argument : call.args())
    if (argument->getType()->isSized()) pin_value(argument, PLUMB_PIN_UNSUPPORTED, site_of(call), call);
}

}  // namespace plumb::instrument
