#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Type.h>

#include <cstdint>

namespace plumb::instrument {

/// A value of it can have a shadow: an integer, pointer or floating point number of at most 64 bits.
bool is_tracked(llvm::Type* type, const llvm::DataLayout& layout);
/// In bits, of a tracked type or any other scalar.
std::uint32_t width_of(llvm::Type* type, const llvm::DataLayout& layout);

/// A scalar (or vector) of a first-class value, which lies at this offset if the value is in memory.
struct Leaf {
  llvm::Type* type = nullptr;
  std::uint64_t offset = 0;
};
/// What structures and arrays consist of, in order; of any other type itself. Nothing for void.
llvm::SmallVector<Leaf, 4> leaves(llvm::Type* type, const llvm::DataLayout& layout);
/// Some part of it is tracked.
bool has_tracked_leaf(llvm::Type* type, const llvm::DataLayout& layout);
/// The leaf that the part of `type` at these indices begins with.
unsigned first_leaf(llvm::Type* type, llvm::ArrayRef<unsigned> indices, const llvm::DataLayout& layout);

/// A tracked value as the runtime takes it: its bits, zero-extended to 64.
llvm::Value* bits_of(llvm::IRBuilder<>& builder, llvm::Value* value);
/// A value of the tracked type that has the lowest of these 64 bits.
llvm::Value* value_of_bits(llvm::IRBuilder<>& builder, llvm::Value* bits, llvm::Type* type);

/// The object that an address leads into, where the code shows it: a variable of the function of constant size, or a
/// global one.
struct VisibleObject {
  llvm::Value* base = nullptr;  ///< null if it is not to be seen
  std::uint64_t size = 0;
};
VisibleObject object_of(llvm::Value* address, const llvm::DataLayout& layout);

/// The address may be known to other code, or is merged with others: accesses do not all show which object they are to.
bool escapes(const llvm::Value& address);

/// Of what the memory of so many bytes at the address is an array of, as far as the code shows it: 1, 2, 4 or 8 bytes.
std::uint32_t element_size(llvm::Value* address, const llvm::Value* size, const llvm::DataLayout& layout);

}  // namespace plumb::instrument
