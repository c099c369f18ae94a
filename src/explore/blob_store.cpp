#include "explore/blob_store.h"

#include <algorithm>

#include "base/error.h"

namespace plumb::explore {
namespace {

std::uint64_t hash_of(std::span<const std::uint8_t> bytes) noexcept {
  std::uint64_t h = mixed(bytes.size() + 0x9e3779b97f4a7c15);
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    h = mixed(h ^ (word + 0x9e3779b97f4a7c15));
  }
  std::uint64_t rest = 0;
  for (; i < bytes.size(); ++i) rest = rest << 8 | bytes[i];
  return mixed(h ^ rest);
}

/// Elements of a level, given those of the level below.
std::uint32_t level_above(std::uint32_t size) noexcept { return (size + 1) / 2; }

}  // namespace

void HashIndex::add(std::uint64_t hash, std::uint32_t number) {
  if ((size_ + 1) * 4 > slots_.size() * 3) {
    const std::vector<std::uint64_t> old = std::move(slots_);
    slots_.assign(std::max<std::size_t>(1024, old.size() * 2), 0);
    mask_ = slots_.size() - 1;
    for (const std::uint64_t slot : old) {
      if (slot == 0) continue;
      std::size_t at = low_[static_cast<std::uint32_t>(slot) - 1] & mask_;
      while (slots_[at] != 0) at = (at + 1) & mask_;
      slots_[at] = slot;
    }
  }
  INVARIANT(number == low_.size(), "numbers should be added as they come");
  low_.push_back(static_cast<std::uint32_t>(hash));
  std::size_t at = static_cast<std::uint32_t>(hash) & mask_;
  while (slots_[at] != 0) at = (at + 1) & mask_;
  slots_[at] = (hash >> 32 << 32) | (std::uint64_t{number} + 1);
  ++size_;
}

std::uint8_t* BlobStore::room(std::size_t size) {
  if (size > kChunk / 4) {
    large_.push_back(std::make_unique<std::uint8_t[]>(size));
    allocated_ += size;
    return large_.back().get();
  }
  if (kChunk - used_ < size) {
    chunks_.push_back(std::make_unique<std::uint8_t[]>(kChunk));
    allocated_ += kChunk;
    used_ = 0;
  }
  used_ += size;
  return chunks_.empty() ? nullptr : chunks_.back().get() + used_ - size;
}

BlobStore::Id BlobStore::intern(std::span<const std::uint8_t> bytes) {
  const std::uint64_t hash = hash_of(bytes);
  const Id known = index_.find(hash, [&](Id id) { return std::ranges::equal((*this)[id], bytes); });
  if (known != HashIndex::kMissing) return known;
  std::uint8_t* to = room(bytes.size());
  if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
  const auto id = static_cast<Id>(entries_.size());
  entries_.push_back({to, static_cast<std::uint32_t>(bytes.size())});
  index_.add(hash, id);
  return id;
}

TreeStore::Id TreeStore::pair(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t node = std::uint64_t{a} << 32 | b;
  const std::uint64_t hash = mixed(node + 0x9e3779b97f4a7c15);
  const Id known = index_.find(hash, [&](Id id) { return nodes_[id] == node; });
  if (known != HashIndex::kMissing) return known;
  const auto id = static_cast<Id>(nodes_.size());
  nodes_.push_back(node);
  index_.add(hash, id);
  return id;
}

TreeStore::Id TreeStore::intern(Tree& tree, const Tree& like) {
  const bool is_alike = like.size == tree.size;
  tree.nodes.resize(tree.size);
  std::size_t below = 0;
  for (std::uint32_t size = tree.size; size > 1; size = level_above(size)) {
    const std::size_t above = tree.nodes.size();
    for (std::uint32_t i = 0; i < size; i += 2) {
      const std::size_t at = below + i;
      const bool is_single = i + 1 == size;
      const bool is_known =
          is_alike && tree.nodes[at] == like.nodes[at] && (is_single || tree.nodes[at + 1] == like.nodes[at + 1]);
      if (is_known) {
        tree.nodes.push_back(like.nodes[above + i / 2]);
      } else {
        tree.nodes.push_back(is_single ? tree.nodes[at] : pair(tree.nodes[at], tree.nodes[at + 1]));
      }
    }
    below = above;
  }
  return pair(tree.size, tree.nodes.back());
}

void TreeStore::expand(Id id, Tree& tree) const {
  tree.size = static_cast<std::uint32_t>(nodes_[id] >> 32);
  std::size_t total = tree.size;
  std::vector<std::uint32_t> sizes{tree.size};
  for (std::uint32_t size = tree.size; size > 1;) {
    size = level_above(size);
    total += size;
    sizes.push_back(size);
  }
  tree.nodes.resize(total);
  std::size_t above = total - 1;
  tree.nodes[above] = static_cast<std::uint32_t>(nodes_[id]);
  for (std::size_t level = sizes.size() - 1; level > 0; --level) {
    const std::uint32_t size = sizes[level - 1];
    const std::size_t below = above - size;
    for (std::uint32_t i = 0; i < size; i += 2) {
      if (i + 1 == size) {
        tree.nodes[below + i] = tree.nodes[above + i / 2];
        continue;
      }
      const std::uint64_t node = nodes_[tree.nodes[above + i / 2]];
      tree.nodes[below + i] = static_cast<std::uint32_t>(node >> 32);
      tree.nodes[below + i + 1] = static_cast<std::uint32_t>(node);
    }
    above = below;
  }
}

}  // namespace plumb::explore
