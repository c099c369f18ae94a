#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace plumb::frontend {

/// An index of an array of the source that is to be below the limit, taken as a signed number of the pointer's width
/// and compared as an unsigned one.
struct CheckedIndex {
  unsigned operand = 0;  ///< of the instruction
  std::uint64_t limit = 0;
};

/// The indices of an address computation that the source's array types bound, and that are not constants inside. The
/// limit is the number of elements; one more for the last index if the address may just point past the end. Asks about
/// uses of the address, so it is to be called before code is added that uses it. One rule for the interpreter, regions
/// and native code, so that they agree about what is a defect.
llvm::SmallVector<CheckedIndex, 2> checked_indices(const llvm::GetElementPtrInst& gep);

}  // namespace plumb::frontend
