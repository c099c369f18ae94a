#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>

#include "instrument/shadows/shadow_types.h"

namespace plumb::instrument {

/// A load, store or atomic operation.
struct MemoryAccess {
  llvm::Use* pointer = nullptr;
  std::uint64_t size = 0;  ///< in bytes
  bool is_write = false;
  llvm::Align alignment;

  llvm::Value* address() const { return pointer->get(); }
};
std::optional<MemoryAccess> access_of(llvm::Instruction& instruction, const llvm::DataLayout& layout);

/// A variable whose life ends before its function returns.
bool has_scope(const llvm::Value& object);

/// What is to be tested before an access.
enum class AccessTest : std::uint8_t {
  None,      ///< the address surely lies in a variable that the code shows
  Object,    ///< that it lies in the variable
  Variable,  ///< the same, of a variable whose size is known at run time alone
  Map,       ///< that the map of addressability allows it
  Constant,  ///< nothing: it is a write to a constant, which is wrong
};

struct AccessPlan {
  AccessTest test = AccessTest::Map;
  VisibleObject object;         ///< Object, and others where the code shows it
  llvm::Value* root = nullptr;  ///< the pointer that the address is an offset from; not an address computation itself
};
/// Takes it for granted that marked indices (check_marks.h) are checked where the address is made.
AccessPlan plan_access(llvm::Value* address, std::uint64_t size, bool is_write, const llvm::DataLayout& layout);

}  // namespace plumb::instrument
