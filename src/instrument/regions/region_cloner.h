#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <vector>

#include "instrument/prepared_module.h"

namespace plumb::instrument {

/// Where the plain version of a region is left: a block of its own that jumps to the destination.
struct RegionExit {
  llvm::BasicBlock* block = nullptr;
  std::uint32_t destination = 0;  ///< index in RegionPlan::destinations
  /// Phi nodes of the destination (its own, and those that merge values of the two versions) with the index in
  /// RegionPlan::outs of what they get from here. Phi nodes that are not listed get a value defined outside the region.
  llvm::SmallVector<std::pair<llvm::PHINode*, std::uint32_t>, 8> outs;
};

/// A region with its two versions. Before:  G: …; br c, A, B.  After:
///
///     G:       …; br i1 false, G.plain, G.path       the instrumenter puts the choice in place of `false`
///     G.path:  br c, A, B                            the original blocks, to be instrumented
///     G.plain: br c, A', B'                          copies that stay as they are but for coverage
///
/// The plain blocks reach nothing but each other and the exits. Values defined in both versions and used after them are
/// merged by phi nodes.
struct PlainRegion {
  const RegionPlan* plan = nullptr;
  std::uint32_t index = 0;                ///< in Subject::regions
  llvm::BranchInst* choice = nullptr;     ///< the end of G
  std::vector<llvm::BasicBlock*> blocks;  ///< G.plain and the copies
  std::vector<RegionExit> exits;
  std::vector<llvm::Value*> ins;    ///< by RegionPlan::ins: the values at the end of G, merged if need be
  std::vector<llvm::Value*> bases;  ///< by RegionPlan::slots: their bases, likewise
  llvm::Value* visit = nullptr;     ///< i1, set by emit_region_enter: the runtime was asked and may have recorded it
};

/// The code of the plan is one to one the region of the Program, and all that leaves it are scalars.
bool is_clonable(const PreparedModule& prepared, const RegionPlan& plan);

/// Makes the plain versions of all of the subject's regions, which must be clonable. Copies keep site metadata. The
/// module stays valid, and does what it did before whatever the choices are.
std::vector<PlainRegion> clone_regions(PreparedModule& prepared);

/// The region as the runtime knows it: constant tables and a `struct plumb_region`.
llvm::GlobalVariable* region_descriptor(PreparedModule& prepared, const PlainRegion& region);

/// At the builder's position, before the choice: gives an i1 that is true if the plain version is to be taken. `shadow`
/// gives the i32 shadow of a value, which is valid there. Tests the region's mode first; concrete visits of regions
/// with no slots or small ones call nothing. May split the block; the builder then stands in the last part, where the
/// choice is.
llvm::Value* emit_region_enter(llvm::IRBuilder<>& builder, PreparedModule& prepared, PlainRegion& region,
                               llvm::function_ref<llvm::Value*(llvm::Value*)> shadow);
/// At the builder's position in an exit, after emit_region_enter: the i32 shadows of all outs listed there, in that
/// order (0 if the visit was concrete). May split the block; its last part, where the builder then stands, stays
/// exit.block.
llvm::SmallVector<llvm::Value*, 8> emit_region_exit(llvm::IRBuilder<>& builder, PreparedModule& prepared,
                                                    const PlainRegion& region, const RegionExit& exit);

}  // namespace plumb::instrument
