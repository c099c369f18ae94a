#include "chain/state_store.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"

namespace plumb::chain {
namespace {

constexpr std::uint64_t kFirstSlots = 1 << 12;

/// The finalizer of splitmix64: every bit of the input changes every bit of the output with even odds.
std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 27;
  x *= 0x94d049bb133111eb;
  return x ^ x >> 31;
}

}  // namespace

StateLayout::StateLayout(std::span<const Variable> variables) {
  std::uint32_t word = 0;
  std::uint32_t used = 0;
  for (const Variable& variable : variables) {
    const auto span = static_cast<std::uint64_t>(variable.high) - static_cast<std::uint64_t>(variable.low);
    const auto width = static_cast<std::uint32_t>(std::bit_width(span));
    if (used + width > 64) {
      ++word;
      used = 0;
    }
    fields_.push_back(
        {word, width == 0 ? 0 : used, width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1, variable.low});
    used += width;
    bits_ += width;
  }
  words_ = word + 1;
}

StateStore::StateStore(StateLayout layout) : layout_(std::move(layout)) {
  table_.resize(kFirstSlots);
  std::ranges::fill_n(table_.data(), kFirstSlots, kEmpty);
  mask_ = kFirstSlots - 1;
}

std::uint64_t StateLayout::hash(const std::uint64_t* state) const noexcept {
  std::uint64_t h = mix(state[0] + 0x9e3779b97f4a7c15);
  for (std::uint32_t i = 1; i < words_; ++i) h = mix(h ^ (state[i] + 0x9e3779b97f4a7c15));
  return h;
}

bool StateStore::equals(StateId id, const std::uint64_t* state) const noexcept {
  const std::uint64_t* mine = this->state(id);
  if (layout_.words() == 1) return mine[0] == state[0];
  return std::memcmp(mine, state, layout_.words() * sizeof(std::uint64_t)) == 0;
}

StateStore::Found StateStore::find_or_insert(const std::uint64_t* state, std::uint64_t hash) {
  std::uint64_t slot = hash & mask_;
  while (table_[slot] != kEmpty) {
    if (equals(table_[slot], state)) return {table_[slot], false};
    slot = (slot + 1) & mask_;
  }
  if (size_ >= kEmpty - 1) throw UserError("the model has more than four thousand million states");
  const auto id = static_cast<StateId>(size_++);
  for (std::uint32_t i = 0; i < layout_.words(); ++i) data_.push_back(state[i]);
  table_[slot] = id;
  if (size_ * 5 > (mask_ + 1) * 3) grow();
  return {id, true};
}

void StateStore::grow() {
  const std::uint64_t slots = (mask_ + 1) * 2;
  table_ = {};
  table_.resize(slots);
  std::ranges::fill_n(table_.data(), slots, kEmpty);
  mask_ = slots - 1;
  constexpr std::uint64_t kBatch = 64;
  std::uint64_t hashes[kBatch];
  for (std::uint64_t first = 0; first < size_; first += kBatch) {
    const std::uint64_t count = std::min(kBatch, size_ - first);
    for (std::uint64_t i = 0; i < count; ++i) {
      hashes[i] = layout_.hash(state(static_cast<StateId>(first + i)));
      prefetch_slot(hashes[i]);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint64_t slot = hashes[i] & mask_;
      while (table_[slot] != kEmpty) slot = (slot + 1) & mask_;
      table_[slot] = static_cast<StateId>(first + i);
    }
  }
}

void StateStore::finish() {
  table_ = {};
  mask_ = 0;
  data_.shrink();
}

}  // namespace plumb::chain
