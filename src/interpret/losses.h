#pragma once

#include <absl/container/flat_hash_map.h>

#include <memory>
#include <optional>
#include <vector>

#include "interpret/code.h"
#include "program/analysis/liveness.h"
#include "program/fault.h"
#include "semantics/memory/address_space.h"

namespace plumb::interpret {

using program::CodePoint;
using program::kNone;
using program::Liveness;
using program::Uses;
using program::ValueId;
using semantics::ObjectId;

class Machine;

/// Finds where the last pointer to an object is lost, for InterpreterOptions::find_losses; see losses.cpp.
class Losses {
 public:
  explicit Losses(Machine& machine);

  // Told by the machine
  void allocated(ObjectId object, std::uint32_t number);
  void written(ObjectId object, std::uint64_t offset, std::uint64_t size);
  void died(ObjectId object);

  /// One instruction, after which it is known whether something was lost there.
  Decoded* step(Decoded* at);

  /// By the number of the heap object.
  CodePoint lost(std::uint32_t number) const;

 private:
  /// A value of a frame that stands.
  struct Slot {
    std::size_t thread = 0;
    std::size_t frame = 0;
    ValueId value = kNone;
  };
  /// Why an object is reached: from a global, a variable or a value, by a pointer in each object on the way.
  struct Witness {
    std::optional<Slot> value;                              ///< else the way begins in an object
    absl::flat_hash_map<ObjectId, std::uint64_t> pointers;  ///< where, in each object on the way
  };
  struct Watched {
    std::uint32_t number = 0;
    ObjectId object = kNone;  ///< kNone: not allocated yet, or done with
    Witness witness;
    bool is_doubtful = false;  ///< the witness may be no more
    CodePoint lost;
  };
  struct FunctionUses {
    Uses uses;
    Liveness liveness;
  };
  class Search;

  const FunctionUses& uses_of(FunctionId function);
  /// The value is used at the instruction or after it.
  bool is_live(const FunctionCode& code, const Decoded* next, ValueId value);
  bool is_live(const Slot& slot, const Decoded* next);
  void look(Watched& watched, const Decoded* next, CodePoint at);

  Machine& m_;
  std::vector<Watched> watched_;
  absl::flat_hash_map<FunctionId, std::unique_ptr<FunctionUses>> uses_;
  std::uint64_t scanned_ = 0;  ///< words, in all searches
};

}  // namespace plumb::interpret
