#pragma once

#include <llvm/IR/Module.h>

namespace plumb::instrument {

/// Computes addresses as early as their operands are there: `buf[i]` inside a branch is then a pointer from outside of
/// the region around the branch, and the access can be part of the region's formula. Moves address computations without
/// array types (those are checked against the array's bounds where they stand) and the integer casts that feed them.
/// None of these can fail or has an effect.
void hoist_addresses(llvm::Module& module);

}  // namespace plumb::instrument
