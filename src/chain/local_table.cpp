#include "chain/local_table.h"

#include <bit>

namespace plumb::chain {
namespace {

constexpr std::size_t kFirstSlots = 64;
/// More than this does not stay in the caches of a core.
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
/// With fewer lookups an entry than this, keeping them costs more than it saves.
constexpr std::uint64_t kLookupsPerEntry = 3;

}  // namespace

LocalTable::LocalTable(std::vector<WordMask> masks, std::uint32_t words, std::size_t rewards)
    : masks_(std::move(masks)), words_(words), reward_count_(rewards) {
  reset(kFirstSlots);
}

void LocalTable::reset(std::size_t slots) {
  entries_.assign(slots, {});
  if (masks_.size() > 1) keys_.assign(slots * masks_.size(), 0);
  mask_ = slots - 1;
  shift_ = static_cast<std::uint32_t>(64 - std::bit_width(mask_));
}

std::uint64_t LocalTable::free_place(const std::uint64_t* state) const noexcept {
  std::uint64_t at = place(state);
  while (entries_[at].rows_and_one != 0) at = (at + 1) & mask_;
  return at;
}

void LocalTable::grow() {
  const std::vector<Entry> entries = std::move(entries_);
  const std::vector<std::uint64_t> keys = std::move(keys_);
  reset(2 * entries.size());
  std::vector<std::uint64_t> state(words_);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (entries[e].rows_and_one == 0) continue;
    for (std::size_t i = 0; i < masks_.size(); ++i)
      state[masks_[i].word] = i == 0 ? entries[e].key : keys[e * masks_.size() + i];
    const std::uint64_t at = free_place(state.data());
    entries_[at] = entries[e];
    for (std::size_t i = 1; i < masks_.size(); ++i) keys_[at * masks_.size() + i] = state[masks_[i].word];
  }
}

const LocalTable::Entry& LocalTable::add(const std::uint64_t* state, std::span<const SuccessorRow> rows,
                                         std::span<const std::uint32_t> weights, const std::uint64_t* targets,
                                         std::span<const Value> rewards) {
  if (8 * transitions_.size() + sizeof(Entry) * entries_.size() > kMostBytes) {
    is_useful_ = lookups_ > kLookupsPerEntry * size_;
    reset(kFirstSlots);
    transitions_.resize(0);
    rows_.clear();
    rewards_.clear();
    size_ = 0;
    lookups_ = 0;
  }
  if (++size_ * 2 > entries_.size()) grow();
  const std::uint64_t at = free_place(state);
  for (std::size_t i = 1; i < masks_.size(); ++i)
    keys_[at * masks_.size() + i] = state[masks_[i].word] & masks_[i].mask;
  entries_[at] = {first_key(state), static_cast<std::uint32_t>(transitions_.size() / (words_ + 1)),
                  static_cast<std::uint32_t>(weights.size()), static_cast<std::uint32_t>(rows_.size()),
                  static_cast<std::uint32_t>(rows.size() + 1)};
  for (std::size_t t = 0; t < weights.size(); ++t) {
    transitions_.push_back(weights[t]);
    for (std::uint32_t w = 0; w < words_; ++w) transitions_.push_back(targets[t * words_ + w] - state[w]);
  }
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  rewards_.insert(rewards_.end(), rewards.begin(), rewards.end());
  return entries_[at];
}

}  // namespace plumb::chain
