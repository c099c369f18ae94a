#include "base/value/state_store.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace plumb {
namespace {

constexpr std::uint64_t kFirstSlots = 1 << 12;

}  // namespace

void StateLayout::add(std::int64_t low, std::int64_t high) {
  const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const auto width = static_cast<std::uint32_t>(std::bit_width(span));
  if (used_ + width > 64) {
    ++words_;
    used_ = 0;
  }
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  fields_.push_back({words_ - 1, width == 0 ? 0 : used_, mask, low});
  used_ += width;
  bits_ += width;
}

StateStore::StateStore(StateLayout layout)
    : layout_(std::move(layout)), chunks_(kMissing / kChunk + 1), is_whole_(layout_.bits() <= 32) {
  table_ = MappedArray<std::uint64_t>(kFirstSlots);
  mask_ = kFirstSlots - 1;
  shift_ = static_cast<std::uint32_t>(64 - std::bit_width(mask_));
}

StateStore::Id StateStore::add(const std::uint64_t* state) {
  if (size_ >= kMissing - 1) throw UserError("there are more than four thousand million states");
  Chunk& chunk = chunks_[size_ / kChunk];
  if (chunk.size() == 0) chunk = Chunk(kChunk * layout_.words());
  std::copy_n(state, layout_.words(), chunk.data() + size_ % kChunk * layout_.words());
  return static_cast<Id>(size_++);
}

StateStore::Found StateStore::find_or_insert(const std::uint64_t* state, std::uint64_t hash) {
  const std::uint64_t wanted = tag(state, hash);
  std::uint64_t at = hash >> shift_;
  for (; table_[at] != 0; at = (at + 1) & mask_) {
    const std::uint64_t slot = table_[at];
    if ((slot ^ wanted) >> 32 == 0 && (is_whole_ || equals(number(slot), state))) return {number(slot), false};
  }
  const Id id = add(state);
  // Whoever sees the slot sees the state.
  __atomic_store_n(&table_[at], wanted | (std::uint64_t{id} + 1), __ATOMIC_RELEASE);
  return {id, true};
}

void StateStore::grow(std::uint64_t more) {
  std::uint64_t slots = mask_ + 1;
  while ((size_ + more) * 4 > slots * 3) slots *= 2;
  table_ = {};
  table_ = MappedArray<std::uint64_t>(slots);
  mask_ = slots - 1;
  shift_ = static_cast<std::uint32_t>(64 - std::bit_width(mask_));
  constexpr std::uint64_t kBatch = 64;
  std::uint64_t hashes[kBatch];
  for (std::uint64_t first = 0; first < size_; first += kBatch) {
    const std::uint64_t count = std::min(kBatch, size_ - first);
    const std::uint64_t* states = state(static_cast<Id>(first));
    for (std::uint64_t i = 0; i < count; ++i) {
      hashes[i] = layout_.hash(states + i * layout_.words());
      prefetch_slot(hashes[i]);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint64_t at = hashes[i] >> shift_;
      while (table_[at] != 0) at = (at + 1) & mask_;
      table_[at] = tag(states + i * layout_.words(), hashes[i]) | (first + i + 1);
    }
  }
}

}  // namespace plumb
