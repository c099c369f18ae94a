#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chain/growing_array.h"
#include "chain/model.h"
#include "chain/state_set.h"

namespace plumb::chain {

/// Where a variable is in a packed state: `width` bits from bit `shift` of word `word`, as an offset from its least
/// value. A field does not cross words.
struct Field {
  std::uint32_t word = 0;
  std::uint32_t shift = 0;
  std::uint64_t mask = 0;  ///< before shifting
  std::int64_t low = 0;
};

class StateLayout {
 public:
  StateLayout() = default;
  explicit StateLayout(std::span<const Variable> variables);

  std::uint32_t words() const noexcept { return words_; }
  std::uint32_t bits() const noexcept { return bits_; }
  std::span<const Field> fields() const noexcept { return fields_; }
  std::int64_t get(const std::uint64_t* state, std::size_t variable) const noexcept {
    const Field& field = fields_[variable];
    return field.low + static_cast<std::int64_t>((state[field.word] >> field.shift) & field.mask);
  }
  std::uint64_t hash(const std::uint64_t* state) const noexcept;
  /// The value must be in the variable's range.
  void set(std::uint64_t* state, std::size_t variable, std::int64_t value) const noexcept {
    const Field& field = fields_[variable];
    std::uint64_t& word = state[field.word];
    word = (word & ~(field.mask << field.shift)) | static_cast<std::uint64_t>(value - field.low) << field.shift;
  }

 private:
  std::vector<Field> fields_;
  std::uint32_t words_ = 1;
  std::uint32_t bits_ = 0;
};

/// States packed in bits, numbered in the order in which they come, and an open-addressing table of their numbers. A
/// lookup misses the cache twice; whoever has many of them asks for both lines ahead (prefetch_slot, prefetch_state).
class StateStore {
 public:
  StateStore() = default;
  explicit StateStore(StateLayout layout);

  struct Found {
    StateId id;
    bool is_new;
  };
  /// `hash` is the layout's. Throws UserError at 2^32 - 2 states.
  Found find_or_insert(const std::uint64_t* state, std::uint64_t hash);
  void prefetch_slot(std::uint64_t hash) const noexcept { __builtin_prefetch(&table_[hash & mask_]); }
  void prefetch_state(std::uint64_t hash) const noexcept {
    const StateId id = table_[hash & mask_];
    if (id != kEmpty) __builtin_prefetch(&data_[std::size_t{id} * layout_.words()]);
  }

  std::uint64_t size() const noexcept { return size_; }
  const std::uint64_t* state(StateId id) const noexcept { return &data_[std::size_t{id} * layout_.words()]; }
  std::int64_t value(StateId id, std::size_t variable) const noexcept { return layout_.get(state(id), variable); }
  const StateLayout& layout() const noexcept { return layout_; }
  std::uint64_t bytes() const noexcept { return data_.bytes() + table_.bytes(); }
  /// No more states are added or looked up: the table goes.
  void finish();

 private:
  static constexpr StateId kEmpty = ~StateId{0};
  bool equals(StateId id, const std::uint64_t* state) const noexcept;
  void grow();

  StateLayout layout_;
  GrowingArray<std::uint64_t> data_;
  GrowingArray<StateId> table_;
  std::uint64_t mask_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace plumb::chain
