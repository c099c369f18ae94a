#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chain/growing_array.h"
#include "chain/model.h"
#include "chain/value.h"

namespace plumb::chain {

/// Rows as they come from the successor function, before states are numbered.
struct SuccessorRow {
  Action action = 0;
  std::uint32_t transitions = 0;
};

/// What a group of moves does, by the values of the variables that it depends on. Those are few beside the variables of
/// the state, so most states find it done: a transition is then a weight's number and what is to be added to the packed
/// state. Of one thread.
class LocalTable {
 public:
  /// The bits of a packed state that count.
  struct WordMask {
    std::uint32_t word = 0;
    std::uint64_t mask = 0;
  };
  struct Entry {
    std::uint64_t key = 0;    ///< the bits of the state that count, of their first word
    std::uint32_t first = 0;  ///< transition
    std::uint32_t transitions = 0;
    std::uint32_t first_row = 0;
    std::uint32_t rows_and_one = 0;  ///< zero: the entry is free

    std::uint32_t rows() const noexcept { return rows_and_one - 1; }
  };

  LocalTable(std::vector<WordMask> masks, std::uint32_t words, std::size_t rewards);

  /// Null if it is not known; entries live until add().
  const Entry* find(const std::uint64_t* state) noexcept {
    ++lookups_;
    const std::uint64_t key = first_key(state);
    for (std::uint64_t at = place(state);; at = (at + 1) & mask_) {
      const Entry& entry = entries_[at];
      if (entry.rows_and_one == 0) return nullptr;
      if (entry.key == key && (masks_.size() <= 1 || has_keys(at, state))) return &entry;
    }
  }
  /// With packed targets, and `rewards` numbers a row.
  const Entry& add(const std::uint64_t* state, std::span<const SuccessorRow> rows,
                   std::span<const std::uint32_t> weights, const std::uint64_t* targets,
                   std::span<const Value> rewards);

  /// By transition: the number of its weight, then what is added to each word of the state.
  const std::uint64_t* transitions(const Entry& entry) const noexcept {
    return transitions_.data() + std::size_t{entry.first} * (words_ + 1);
  }
  std::span<const SuccessorRow> rows(const Entry& entry) const noexcept {
    return {rows_.data() + entry.first_row, entry.rows()};
  }
  std::span<const Value> rewards(const Entry& entry) const noexcept {
    return {rewards_.data() + entry.first_row * reward_count_, entry.rows() * reward_count_};
  }
  /// False once it has turned out that states seldom agree on these variables.
  bool is_useful() const noexcept { return is_useful_; }

 private:
  std::uint64_t first_key(const std::uint64_t* state) const noexcept {
    return masks_.empty() ? 0 : state[masks_[0].word] & masks_[0].mask;
  }
  std::uint64_t place(const std::uint64_t* state) const noexcept {
    std::uint64_t h = 0;
    for (const WordMask& m : masks_) h = (h ^ (state[m.word] & m.mask)) * 0x9e3779b97f4a7c15;
    return (h ^ h >> 32) * 0x9e3779b97f4a7c15 >> shift_;
  }
  bool has_keys(std::uint64_t at, const std::uint64_t* state) const noexcept {
    for (std::size_t i = 1; i < masks_.size(); ++i)
      if (keys_[at * masks_.size() + i] != (state[masks_[i].word] & masks_[i].mask)) return false;
    return true;
  }
  void reset(std::size_t slots);
  void grow();
  std::uint64_t free_place(const std::uint64_t* state) const noexcept;

  std::vector<WordMask> masks_;
  std::uint32_t words_;
  std::size_t reward_count_;
  std::uint64_t mask_ = 0;
  std::uint32_t shift_ = 0;
  std::vector<Entry> entries_;
  std::vector<std::uint64_t> keys_;  ///< by entry, where states have several words that count
  GrowingArray<std::uint64_t> transitions_;
  std::vector<SuccessorRow> rows_;
  std::vector<Value> rewards_;
  std::uint64_t size_ = 0;
  std::uint64_t lookups_ = 0;
  bool is_useful_ = true;
};

}  // namespace plumb::chain
