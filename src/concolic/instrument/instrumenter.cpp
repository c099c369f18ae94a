#include "concolic/instrument/instrumenter.h"

#include <llvm/ADT/SmallPtrSet.h>

#include <vector>

#include "base/error.h"
#include "concolic/instrument/input_functions.h"
#include "concolic/instrument/region_cloner.h"
#include "concolic/instrument/shadow_function.h"
#include "concolic/instrument/shadow_tables.h"

namespace plumb::concolic {
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
    llvm::Function* function = runtime.module().getFunction(replacement.name);
    if (function != nullptr && function->isDeclaration() && !function->use_empty())
      function->replaceAllUsesWith(runtime.function(replacement.by));
  }
}

}  // namespace

void instrument(PreparedModule& prepared) {
  llvm::Module& module = *prepared.module;
  ShadowRuntime runtime(module);
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) functions.push_back(&function);
  std::vector<PlainRegion> regions = clone_regions(prepared);
  define_input_functions(runtime);
  for (llvm::Function* function : functions) {
    std::vector<PlainRegion*> own;
    for (PlainRegion& region : regions)
      if (region.choice->getFunction() == function) own.push_back(&region);
    std::vector<ConcreteLoop> loops = copy_concrete_loops(prepared, runtime, *function, own);
    FunctionShadows(prepared, runtime, *function, std::move(own), std::move(loops)).run();
  }
  for (llvm::Function* function : functions) add_coverage(prepared, *function);
  replace_allocators(runtime);
  add_tables(prepared, runtime);
}

}  // namespace plumb::concolic
