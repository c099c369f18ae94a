#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "instrument/prepared_module.h"
#include "instrument/shadows/shadow_runtime.h"

namespace plumb::instrument {

/// Every edge of a branch or switch that has a site sets its byte of __plumb_coverage, at once: a crash loses none.
void add_coverage(PreparedModule& prepared, llvm::Function& function);

/// The address of an edge's byte, a constant: 1 if it was covered in this run, else 0.
llvm::Value* coverage_of(PreparedModule& prepared, llvm::IRBuilder<>& builder, EdgeId edge);
/// One edge of a terminator with a site.
void cover_edge(PreparedModule& prepared, llvm::Instruction& terminator, unsigned edge);
/// The same, told somewhere else. `covered`: an i8 to be merged in, 1 or 0.
void cover_edge_before(PreparedModule& prepared, const llvm::Instruction& terminator, unsigned edge,
                       llvm::Instruction& position, llvm::Value* covered = nullptr);
/// A block on the edge, that no other leads to.
llvm::BasicBlock* block_of_edge(llvm::Instruction& terminator, unsigned edge);

/// Defines what the runtime expects of a module: __plumb_coverage, __plumb_modes, their sizes, and __plumb_globals.
/// Those that regions and coverage have declared get their size now.
void add_tables(PreparedModule& prepared, ShadowRuntime& runtime);

}  // namespace plumb::instrument
