#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "frontend/lower/lower_addresses.h"
#include "program/check_set.h"

namespace plumb::instrument {

/// Says in metadata what later changes of the code would hide: which indices are checked and against what (of the code
/// as the Program was lowered from), and which operators of the user's code are.
/// `has_source_types`: array types are what the source says.
void mark_checked(llvm::Module& module, program::CheckSet checks, bool has_source_types);

/// As frontend::checked_indices() said when the address was marked.
llvm::SmallVector<frontend::CheckedIndex, 2> marked_indices(const llvm::GEPOperator& address);
void unmark_indices(llvm::GetElementPtrInst& address);
/// A sum, difference or product that must not overflow, or a shift that must be in range.
bool is_marked_operator(const llvm::Instruction& instruction);

/// Accesses of memory are looked at in the map of addressability.
bool has_access_checks(program::CheckSet checks);

}  // namespace plumb::instrument
