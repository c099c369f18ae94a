#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace plumb::explore {

/// The finalizer of splitmix64: every bit of the input changes every bit of the output with even odds.
constexpr std::uint64_t mixed(std::uint64_t x) noexcept {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 27;
  x *= 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/// Numbers of things that are kept elsewhere, by their hashes: open addressing, 8 bytes a slot.
class HashIndex {
 public:
  static constexpr std::uint32_t kMissing = ~std::uint32_t{0};

  /// The number for which `is_equal(number)` holds, among those added with this hash.
  template <typename IsEqual>
  std::uint32_t find(std::uint64_t hash, IsEqual&& is_equal) const {
    if (slots_.empty()) return kMissing;
    for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
      const std::uint64_t slot = slots_[at];
      if (slot == 0) return kMissing;
      const auto number = static_cast<std::uint32_t>(slot) - 1;
      if (slot >> 32 == hash >> 32 && is_equal(number)) return number;
    }
  }
  /// One that was not found.
  void add(std::uint64_t hash, std::uint32_t number);
  std::uint64_t bytes() const noexcept { return slots_.size() * sizeof(std::uint64_t); }

 private:
  /// The number plus one below, the upper half of the hash above; 0 is empty.
  std::vector<std::uint64_t> slots_;
  std::size_t mask_ = 0;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> low_;  ///< by number: the lower half of its hash
};

/// Strings of bytes, each kept once and numbered as they come. They never move.
class BlobStore {
 public:
  using Id = std::uint32_t;

  Id intern(std::span<const std::uint8_t> bytes);
  std::span<const std::uint8_t> operator[](Id id) const { return {entries_[id].data, entries_[id].size}; }
  std::size_t count() const noexcept { return entries_.size(); }
  /// Memory that it takes.
  std::uint64_t bytes() const noexcept { return allocated_ + entries_.size() * sizeof(Entry) + index_.bytes(); }

 private:
  struct Entry {
    const std::uint8_t* data = nullptr;
    std::uint32_t size = 0;
  };
  static constexpr std::size_t kChunk = std::size_t{1} << 16;

  std::uint8_t* room(std::size_t size);

  std::vector<std::unique_ptr<std::uint8_t[]>> chunks_;
  std::vector<std::unique_ptr<std::uint8_t[]>> large_;
  std::size_t used_ = kChunk;  ///< of the last chunk
  std::uint64_t allocated_ = 0;
  std::vector<Entry> entries_;
  HashIndex index_;
};

/// Lists of numbers, each kept once, as trees whose nodes are kept once too (Laarman, van de Pol and Weber, "Parallel
/// Recursive State Compression for Free", 2011): a list that differs from a known one in one place costs the nodes
/// above that place alone.
class TreeStore {
 public:
  using Id = std::uint32_t;

  /// A list with the nodes above its elements, level by level.
  struct Tree {
    std::uint32_t size = 0;
    std::vector<std::uint32_t> nodes;  ///< the elements, then the level above them, …
    std::span<std::uint32_t> elements() noexcept { return {nodes.data(), size}; }
    std::span<const std::uint32_t> elements() const noexcept { return {nodes.data(), size}; }
  };

  /// The number of the list in tree.elements(). Levels above are made; those of `like`, a complete tree, are used where
  /// it has the same elements.
  Id intern(Tree& tree, const Tree& like);
  void expand(Id id, Tree& tree) const;
  std::uint64_t bytes() const noexcept { return nodes_.capacity() * sizeof(std::uint64_t) + index_.bytes(); }

 private:
  Id pair(std::uint32_t a, std::uint32_t b);

  std::vector<std::uint64_t> nodes_;
  HashIndex index_;
};

}  // namespace plumb::explore
