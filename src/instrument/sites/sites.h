#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "frontend/lower/lowering.h"
#include "instrument/subject.h"
#include "program/check_set.h"

namespace plumb::instrument {

/// Metadata of terminators, calls, divisions and accesses: !{i32 SiteId}. Copies made by inlining keep it.
inline constexpr const char* kSiteMetadata = "plumb.site";

/// The site of an instruction; 0 if it has none.
SiteId site_of(const llvm::Instruction& instruction);

/// Gives every place that the runtime can speak of a number: conditional branches and switches (with edges), calls,
/// divisions, accesses, variables, and what else is checked. By SiteId; the first entry stands for "unknown". Function
/// and location are still missing. Variables get the place of their declaration.
std::vector<Site> number_sites(llvm::Module& module, program::CheckSet checks);

/// Adds to the subject's sites where they stand, and which of them count as branches; and the sites of its blocks.
/// `origins`: of each site the function that it was written in.
void complete_sites(Subject& subject, llvm::Module& module, const frontend::LoweringMap& map,
                    const std::vector<const llvm::Function*>& origins);
/// The function that each site stands in, by SiteId; before inlining that is where it was written.
std::vector<const llvm::Function*> functions_of_sites(const llvm::Module& module, std::size_t count);

}  // namespace plumb::instrument
