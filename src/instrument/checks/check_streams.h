#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>

#include <deque>

namespace plumb::instrument {

/// Functions of a module that neither free memory nor let anybody else do so: all that they call is known and the same.
class QuietFunctions {
 public:
  explicit QuietFunctions(const llvm::Module& module);
  bool is_quiet(const llvm::CallBase& call) const;

 private:
  llvm::SmallPtrSet<const llvm::Function*, 32> quiet_;
};

/// A pointer that only rises, in small steps, from one base while a loop with all that is inside runs and nothing is
/// freed. What was found addressable from the base on stays so, and an access below that limit needs no look at the
/// map.
struct PointerStream {
  llvm::WeakTrackingVH base;
  bool is_head = false;                        ///< the base is a phi node at the loop's head: what it has from outside
  llvm::SmallVector<llvm::WeakVH, 2> entries;  ///< the instructions that lead into the loop
  llvm::AllocaInst* limit = nullptr;

  /// The code that leads into the loop is still there.
  bool is_usable() const;
  /// The variable with the limit, which is the base's unit at first; made when it is asked for. Needs is_usable().
  llvm::AllocaInst& variable(llvm::IntegerType& size_type, std::uint64_t unit);
};

/// The streams of one function, found before any code is added to it.
class PointerStreams {
 public:
  PointerStreams() = default;
  PointerStreams(llvm::Function& function, const QuietFunctions& quiet);
  PointerStreams(const PointerStreams&) = delete;
  PointerStreams& operator=(const PointerStreams&) = delete;
  ~PointerStreams() = default;

  /// Of the address of a load or store; null if it is in none that is_usable().
  PointerStream* of(const llvm::Instruction& access);

 private:
  std::deque<PointerStream> streams_;
  llvm::DenseMap<const llvm::Instruction*, PointerStream*> of_;
};

}  // namespace plumb::instrument
