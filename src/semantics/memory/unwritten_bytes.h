#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "semantics/memory/address_space.h"
#include "semantics/memory/concrete_bytes.h"
#include "term/term_store.h"

namespace plumb::semantics {

/// Values that the program never set: variables, one for the bytes of each read that no read has asked for before. A
/// byte has the same value in every read of it, whatever the reads' sizes, and in the array of its object.
class UnwrittenBytes {
 public:
  explicit UnwrittenBytes(term::TermStore& terms, ByteOrder order = ByteOrder::Little) : terms_(terms), order_(order) {}
  UnwrittenBytes(const UnwrittenBytes&) = delete;
  UnwrittenBytes& operator=(const UnwrittenBytes&) = delete;

  ByteOrder order() const noexcept { return order_; }
  term::Term bytes(ObjectId object, std::uint64_t offset, std::uint64_t count);

  /// All bytes of an object that is too large for a variable each.
  struct Array {
    term::Term term;
    std::uint64_t unit = 1;  ///< bytes of an element: what the first who asked wanted
  };
  Array array(ObjectId object, std::uint64_t unit, std::uint32_t index_width);

  /// The variables of an object, by the offset where each begins; an array is its bytes from the first on.
  std::vector<std::pair<std::uint64_t, term::Term>> of(ObjectId object) const;
  /// All variables, in the order in which they were made.
  std::span<const term::Term> all() const noexcept { return all_; }

 private:
  struct Object {
    std::map<std::uint64_t, term::Term> pieces;  ///< by offset, apart from each other
    term::Term variable;                         ///< an array: all bytes that are in no piece
    Array array;                                 ///< the variable with the pieces written over it
  };
  term::Term variable(term::Sort sort, ObjectId object, std::uint64_t offset);
  /// Bytes from `offset` on, up to `end`, that one term has; moves `offset` behind them.
  term::Term next_part(ObjectId id, Object& object, std::uint64_t& offset, std::uint64_t end);

  term::TermStore& terms_;
  ByteOrder order_;
  absl::flat_hash_map<ObjectId, Object> objects_;
  std::vector<term::Term> all_;
};

}  // namespace plumb::semantics
