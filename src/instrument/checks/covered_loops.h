#pragma once

#include <llvm/IR/Function.h>

#include <vector>

#include "instrument/prepared_module.h"
#include "instrument/regions/region_cloner.h"

namespace plumb::instrument {

/// Gives loops in which nothing ever depends on input a copy without coverage: where all edges inside were covered in
/// this run, there is nothing more to tell.
///
///     before: br H                        before: br (all covered), H', H
///     H: …                        =>      H: …
///     T: …; br H                          T: …; br (all covered), H', H
///                                         H', T': the copy; the ways out of it are still covered
///
/// `regions`: those of this function.
void copy_covered_loops(PreparedModule& prepared, llvm::Function& function, const std::vector<PlainRegion*>& regions);

}  // namespace plumb::instrument
