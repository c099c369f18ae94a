#include "instrument/instrumenter.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <vector>

#include "base/error.h"
#include "instrument/bare_metal.h"
#include "instrument/checks/check_globals.h"
#include "instrument/checks/check_marks.h"
#include "instrument/checks/check_module.h"
#include "instrument/checks/covered_loops.h"
#include "instrument/regions/region_cloner.h"
#include "instrument/shadows/shadow_function.h"
#include "instrument/shadows/shadow_tables.h"
#include "instrument/sites/call_sites.h"
#include "instrument/sites/input_functions.h"

namespace plumb::instrument {
namespace {

/// Uses of these other than calls (in tables of functions, as arguments) mean the runtime's functions too.
void replace_allocators(ShadowRuntime& runtime) {
  struct Replacement {
    const char* name;
    RuntimeFunction by;
  };
  static constexpr Replacement kReplacements[] = {
      {"malloc", RuntimeFunction::Malloc},   {"calloc", RuntimeFunction::Calloc},
      {"realloc", RuntimeFunction::Realloc}, {"aligned_alloc", RuntimeFunction::AlignedAlloc},
      {"free", RuntimeFunction::Free},       {"fork", RuntimeFunction::Fork},
      {"vfork", RuntimeFunction::Fork}};
  for (const Replacement& replacement : kReplacements) {
    if (replacement.by == RuntimeFunction::Fork && runtime.build().is_bare_metal()) continue;
    llvm::Function* function = runtime.module().getFunction(replacement.name);
    if (function != nullptr && function->isDeclaration() && !function->use_empty())
      function->replaceAllUsesWith(runtime.function(replacement.by));
  }
}

/// What a function says of itself holds no more: one without effects (strcmp, or whatever is marked as pure) passes
/// shadows now, may end the run, and lets the runtime see all memory.
void drop_promises(const std::vector<llvm::Function*>& functions) {
  llvm::AttributeMask of_functions;
  for (const auto kind : {llvm::Attribute::Memory, llvm::Attribute::WillReturn, llvm::Attribute::Speculatable,
                          llvm::Attribute::NoSync, llvm::Attribute::NoCallback, llvm::Attribute::NoFree})
    of_functions.addAttribute(kind);
  llvm::AttributeMask of_values;
  for (const auto kind : {llvm::Attribute::NoAlias, llvm::Attribute::NoCapture, llvm::Attribute::ReadNone,
                          llvm::Attribute::ReadOnly, llvm::Attribute::WriteOnly, llvm::Attribute::Returned})
    of_values.addAttribute(kind);
  const auto without = [&](llvm::AttributeList list, unsigned arguments, llvm::LLVMContext& context) {
    list = list.removeFnAttributes(context, of_functions).removeRetAttributes(context, of_values);
    for (unsigned i = 0; i < arguments; ++i) list = list.removeParamAttributes(context, i, of_values);
    return list;
  };
  for (llvm::Function* function : functions) {
    llvm::LLVMContext& context = function->getContext();
    function->setAttributes(without(function->getAttributes(), static_cast<unsigned>(function->arg_size()), context));
    for (llvm::Instruction& instruction : llvm::instructions(*function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || (call->getCalledFunction() != nullptr && call->getCalledFunction()->isDeclaration()))
        continue;
      call->setAttributes(without(call->getAttributes(), call->arg_size(), context));
    }
  }
}

/// What is only written may hold the last pointer to an object, although no code needs it.
void keep_variables(llvm::Module& module) {
  std::vector<llvm::GlobalValue*> kept;
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.hasLocalLinkage() && !variable.isDeclaration() && !variable.isConstant() &&
        !variable.getName().starts_with("llvm."))
      kept.push_back(&variable);
  llvm::appendToCompilerUsed(module, kept);
}

}  // namespace

void instrument(PreparedModule& prepared, const Budget& budget) {
  llvm::Module& module = *prepared.module;
  ShadowRuntime runtime(module, prepared.build);
  CheckRuntime check_runtime(module, CheckedBuild::Subject, prepared.build);
  std::vector<llvm::GlobalVariable*> reached;
  if (has_access_checks(prepared.checks)) reached = reached_globals(module, !prepared.needs.native_objects.empty());
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) functions.push_back(&function);
  drop_promises(functions);
  std::vector<PlainRegion> regions = clone_regions(prepared);
  define_input_functions(runtime);
  for (llvm::Function* function : functions) {
    budget.check();
    std::vector<PlainRegion*> own;
    for (PlainRegion& region : regions)
      if (region.choice->getFunction() == function) own.push_back(&region);
    copy_covered_loops(prepared, *function, own);
    std::vector<ConcreteLoop> loops = copy_concrete_loops(prepared, runtime, *function, own);
    FunctionShadows(prepared, runtime, check_runtime, *function, std::move(own), std::move(loops)).run(budget);
  }
  for (llvm::Function* function : functions) add_coverage(prepared, *function);
  if (has_access_checks(prepared.checks))
    for (llvm::Function* function : functions) check_runtime.mark_stores(*function);
  replace_allocators(runtime);
  add_tables(prepared, runtime);
  if (!prepared.checks.is_empty()) {
    tell_return(check_runtime, *prepared.entry);
    if (!prepared.build.is_bare_metal()) keep_frame_pointers(module);
  }
  if (prepared.build.kind != BuildKind::Host) name_call_sites(prepared);
  pad_globals(check_runtime, reached);
  if (prepared.build.kind != BuildKind::Host) keep_variables(module);
  if (prepared.build.is_bare_metal()) prepare_for_bare_metal(prepared);
}

}  // namespace plumb::instrument
