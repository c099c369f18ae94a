#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>

#include <cstdint>

namespace plumb::instrument {

/// A buffer that is given to a function without checks, which reads all of it or writes some of it.
struct Buffer {
  /// How much of a buffer was written, as the result tells it.
  enum class Written : std::uint8_t { Bytes, Items, String };
  unsigned argument = 0;
  bool is_written = false;
  unsigned size = 0;  ///< the argument that has its size in bytes, or the size of an item
  int count = -1;     ///< the argument that has the number of items
  Written written = Written::Bytes;
};

/// Those of a call of a function of the library that has no code here.
llvm::SmallVector<Buffer, 1> buffers_of(const llvm::CallBase& call);
/// The arguments of such a call that are texts which the function reads up to their ends.
llvm::SmallVector<unsigned, 2> texts_of(const llvm::CallBase& call);

}  // namespace plumb::instrument
