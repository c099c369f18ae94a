#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <vector>

#include "instrument/prepared_module.h"
#include "instrument/regions/region_cloner.h"
#include "instrument/shadows/shadow_runtime.h"

namespace plumb::instrument {

/// An innermost loop without calls, with a copy that stays without instrumentation:
///
///     H: …                               H:     %first = phi [true, before], [false, T], [false, check]; …
///     T: …; br H                  =>     T:     …; br i1 false, check, H      the walk puts the choice in place of
///     `false`
///                                        check: is memory concrete wherever the loop will access it?  br H', H
///                                        H', T': the copy
///
/// The first iteration runs in the original. If no value that later ones use is symbolic then, nor any byte that they
/// will read or overwrite, none of them can make or see anything symbolic, and the copy goes on. The first iteration
/// has also covered the edges that every iteration takes, so that the copy need not.
struct ConcreteLoop {
  llvm::BranchInst* choice = nullptr;
  llvm::Value* is_first = nullptr;              ///< i1
  llvm::SmallVector<llvm::Value*, 8> entering;  ///< values at the choice that must be concrete
  std::vector<llvm::BasicBlock*> blocks;        ///< check and the copy
};

/// Makes copies of the function's loops where that is possible. `regions`: those of this function.
std::vector<ConcreteLoop> copy_concrete_loops(PreparedModule& prepared, ShadowRuntime& runtime,
                                              llvm::Function& function, const std::vector<PlainRegion*>& regions);

}  // namespace plumb::instrument
