#pragma once

#include <llvm/IR/Constant.h>
#include <llvm/IR/GlobalVariable.h>

#include <cstdint>
#include <optional>

#include "base/bit_vector.h"
#include "program/program.h"

namespace plumb::frontend {

using program::Function;
using program::GlobalObject;
using program::kNone;

class ModuleLowering;

/// A constant of at most 64 bits as the address of something plus a number; a plain number has no base.
struct LinkConstant {
  enum class Base : std::uint8_t { None, Global, Function };
  Base base = Base::None;
  std::uint32_t index = kNone;
  std::uint64_t offset = 0;
};

/// Nothing if the constant is not of that form. Throws Unlowerable for one that refers to what no Program has.
std::optional<LinkConstant> link_constant(ModuleLowering& module, const llvm::Constant& constant);

/// Of a ConstantInt, ConstantFP or null pointer; nothing otherwise.
std::optional<BitVector> scalar_constant(const llvm::Constant& constant, std::uint32_t width);

BitVector to_bit_vector(const llvm::APInt& value);

/// An optimiser's table of distances from itself, read by llvm.load.relative alone. In a Program it has the addresses
/// themselves, each of the pointer size, for the distance of two objects is nothing that a Relocation could say.
bool is_relative_table(const llvm::GlobalVariable& global);
inline constexpr std::uint64_t kRelativeEntrySize = 4;  ///< of the table in LLVM

/// Gives the object its bytes and relocations. Throws Unlowerable for what neither can say.
void write_initialiser(ModuleLowering& module, const llvm::GlobalVariable& global, GlobalObject& object);

}  // namespace plumb::frontend
