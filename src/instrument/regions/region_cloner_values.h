#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "instrument/prepared_module.h"

namespace plumb::instrument {

/// The code of RegionPlan::blocks.
std::vector<llvm::BasicBlock*> blocks_of(const PreparedModule& prepared, const RegionPlan& plan);

/// The index in RegionPlan::outs of what an instruction of the region defines.
std::optional<std::uint32_t> value_out(const PreparedModule& prepared, const RegionPlan& plan,
                                       const llvm::Instruction& value);
/// The index in RegionPlan::outs of a phi node of a destination.
std::optional<std::uint32_t> argument_out(const PreparedModule& prepared, const RegionPlan& plan,
                                          std::uint32_t destination, const llvm::PHINode& phi);

/// What is used when the region is entered: the values of RegionPlan::ins, then the bases of RegionPlan::slots.
llvm::SmallVector<llvm::Value*, 8> needed_on_entry(const PreparedModule& prepared, const RegionPlan& plan);

/// Moves instructions that only give another type or name to a value from outside the region (casts that keep all bits,
/// the address of a first field) to the governor. The Program knows one value for both, which is no live-out. An
/// address whose indices are checked leaves a copy behind for the code of the region, as the check belongs to its
/// place.
void hoist_renamed_values(PreparedModule& prepared, const RegionPlan& plan);

}  // namespace plumb::instrument
