#pragma once

#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

#include "base/value/mapped_array.h"

namespace plumb {

/// How a state of some variables is packed into words: each takes the bits that its range needs, in their order.
class StateLayout {
 public:
  /// Where a variable is in a packed state: `width` bits from bit `shift` of word `word`, as an offset from its least
  /// value. A field does not cross words.
  struct Field {
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
    std::uint64_t mask = 0;  ///< before shifting
    std::int64_t low = 0;
  };

  StateLayout() = default;
  /// Variables have a `low` and a `high`, their least and greatest value.
  template <std::ranges::forward_range Variables>
  explicit StateLayout(const Variables& variables) {
    for (const auto& variable : variables) add(variable.low, variable.high);
  }

  std::uint32_t words() const noexcept { return words_; }
  std::uint32_t bits() const noexcept { return bits_; }
  std::span<const Field> fields() const noexcept { return fields_; }
  std::int64_t get(const std::uint64_t* state, std::size_t variable) const noexcept {
    const Field& field = fields_[variable];
    return field.low + static_cast<std::int64_t>((state[field.word] >> field.shift) & field.mask);
  }
  std::uint64_t hash(const std::uint64_t* state) const noexcept {
    std::uint64_t h = mix(state[0] + 0x9e3779b97f4a7c15);
    for (std::uint32_t i = 1; i < words_; ++i) h = mix(h ^ (state[i] + 0x9e3779b97f4a7c15));
    return h;
  }
  /// The value must be in the variable's range.
  void set(std::uint64_t* state, std::size_t variable, std::int64_t value) const noexcept {
    const Field& field = fields_[variable];
    std::uint64_t& word = state[field.word];
    word = (word & ~(field.mask << field.shift)) | static_cast<std::uint64_t>(value - field.low) << field.shift;
  }

 private:
  /// The finalizer of splitmix64: every bit of the input changes every bit of the output with even odds.
  static std::uint64_t mix(std::uint64_t x) noexcept {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9;
    x ^= x >> 27;
    x *= 0x94d049bb133111eb;
    return x ^ x >> 31;
  }

  void add(std::int64_t low, std::int64_t high);

  std::vector<Field> fields_;
  std::uint32_t words_ = 1;
  std::uint32_t bits_ = 0;
  std::uint32_t used_ = 0;  ///< bits of the last word
};

/// States packed in bits, numbered in the order in which they come, and an open-addressing table of their numbers, with
/// 32 bits of each state's hash beside its number; a state that has no more bits than that is there as a whole. A
/// lookup misses the cache once or twice; whoever has many of them asks for the lines ahead (prefetch_slot,
/// prefetch_state). States never move. One thread may insert while others look up, but for grow().
class StateStore {
 public:
  using Id = std::uint32_t;
  static constexpr Id kMissing = ~Id{0};
  /// States that follow each other from a multiple of this are consecutive in memory.
  static constexpr std::uint64_t kChunk = std::uint64_t{1} << 18;

  StateStore() = default;
  explicit StateStore(StateLayout layout);

  struct Found {
    Id id;
    bool is_new;
  };
  /// `hash` is the layout's. Throws UserError at 2^32 - 2 states. The table must have room: see wants_to_grow().
  Found find_or_insert(const std::uint64_t* state, std::uint64_t hash);
  /// kMissing if it is not there, or comes only now.
  Id find(const std::uint64_t* state, std::uint64_t hash) const noexcept {
    const std::uint64_t wanted = tag(state, hash);
    for (std::uint64_t at = hash >> shift_;; at = (at + 1) & mask_) {
      const std::uint64_t slot = load(at);
      if (slot == 0) return kMissing;
      // Equal upper halves leave nothing in the upper half of the difference.
      if ((slot ^ wanted) >> 32 == 0 && (is_whole_ || equals(number(slot), state))) return number(slot);
    }
  }
  void prefetch_slot(std::uint64_t hash) const noexcept { __builtin_prefetch(&table_[hash >> shift_]); }
  void prefetch_state(std::uint64_t hash) const noexcept {
    if (is_whole_) return;
    const std::uint64_t slot = load(hash >> shift_);
    if (slot != 0) __builtin_prefetch(state(number(slot)));
  }

  /// Whether `more` states could fill the table too much. Nobody may look up while it grows.
  bool wants_to_grow(std::uint64_t more) const noexcept { return (size_ + more) * 4 > (mask_ + 1) * 3; }
  void grow(std::uint64_t more);

  std::uint64_t size() const noexcept { return size_; }
  const std::uint64_t* state(Id id) const noexcept {
    return chunks_[id / kChunk].data() + (id % kChunk) * layout_.words();
  }
  std::int64_t value(Id id, std::size_t variable) const noexcept { return layout_.get(state(id), variable); }
  const StateLayout& layout() const noexcept { return layout_; }
  std::uint64_t bytes() const noexcept { return size_ * layout_.words() * sizeof(std::uint64_t) + table_.bytes(); }
  bool has_table() const noexcept { return table_.size() != 0; }
  /// No more states are added or looked up: the table goes.
  void drop_table() noexcept { table_ = {}; }

 private:
  using Chunk = MappedArray<std::uint64_t>;

  static Id number(std::uint64_t slot) noexcept { return static_cast<Id>(slot) - 1; }
  std::uint64_t tag(const std::uint64_t* state, std::uint64_t hash) const noexcept {
    return (is_whole_ ? state[0] : hash) << 32;
  }
  std::uint64_t load(std::uint64_t slot) const noexcept { return __atomic_load_n(&table_[slot], __ATOMIC_ACQUIRE); }
  bool equals(Id id, const std::uint64_t* state) const noexcept {
    const std::uint64_t* mine = this->state(id);
    for (std::uint32_t w = 0; w < layout_.words(); ++w)
      if (mine[w] != state[w]) return false;
    return true;
  }
  Id add(const std::uint64_t* state);

  StateLayout layout_;
  std::vector<Chunk> chunks_;         ///< as many as there can be, so that none moves
  MappedArray<std::uint64_t> table_;  ///< number plus one in the lower half, zero if it is empty
  std::uint64_t mask_ = 0;
  std::uint32_t shift_ = 0;  ///< of a hash, to the slot
  bool is_whole_ = false;
  std::uint64_t size_ = 0;
};

}  // namespace plumb
