#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace plumb::semantics {

/// A value that copies of this handle share until one of them writes; null at first. Counting is not atomic: all copies
/// belong to one thread.
template <typename T>
class CowPointer {
 public:
  CowPointer() noexcept = default;
  static CowPointer make(T value = {}) { return CowPointer(new Block{1, std::move(value)}); }
  CowPointer(const CowPointer& other) noexcept : block_(other.block_) {
    if (block_ != nullptr) ++block_->references;
  }
  CowPointer(CowPointer&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  CowPointer& operator=(CowPointer other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~CowPointer() {
    if (block_ != nullptr && --block_->references == 0) delete block_;
  }

  explicit operator bool() const noexcept { return block_ != nullptr; }
  const T& operator*() const noexcept { return block_->value; }
  const T* operator->() const noexcept { return &block_->value; }
  bool is_shared() const noexcept { return block_ != nullptr && block_->references > 1; }
  /// Of a handle that is not null. The reference is good for writing until the handle is copied.
  T& writable() {
    if (block_->references > 1) [[unlikely]]
      unshare();
    return block_->value;
  }

 private:
  struct Block {
    std::size_t references;
    T value;
  };
  explicit CowPointer(Block* block) noexcept : block_(block) {}
  [[gnu::noinline]] void unshare() {
    Block* copy = new Block{1, block_->value};
    --block_->references;
    block_ = copy;
  }

  Block* block_ = nullptr;
};

/// A vector in chunks of 2^kChunkBits elements that copies share until one of them writes: a copy costs a count a
/// chunk, the first write to a chunk thereafter copies that chunk alone.
template <typename T, unsigned kChunkBits = 6>
class CowVector {
 public:
  static constexpr std::size_t kChunk = std::size_t{1} << kChunkBits;

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  const T& operator[](std::size_t i) const noexcept { return (*chunks_[i >> kChunkBits])[i & (kChunk - 1)]; }
  /// Good for writing until the vector is copied.
  T& writable(std::size_t i) { return chunks_[i >> kChunkBits].writable()[i & (kChunk - 1)]; }
  void push_back(T value) {
    if (size_ == chunks_.size() * kChunk) chunks_.push_back(CowPointer<Chunk>::make());
    writable(size_) = std::move(value);
    ++size_;
  }
  /// `count` equal elements; whole chunks of them are one chunk, shared.
  void append(std::size_t count, const T& value) {
    for (; count > 0 && size_ % kChunk != 0; --count) push_back(value);
    if (count >= kChunk) {
      CowPointer<Chunk> chunk = CowPointer<Chunk>::make();
      chunk.writable().fill(value);
      chunks_.insert(chunks_.end(), count / kChunk, chunk);
      size_ += count / kChunk * kChunk;
    }
    for (count %= kChunk; count > 0; --count) push_back(value);
  }

 private:
  using Chunk = std::array<T, kChunk>;
  std::vector<CowPointer<Chunk>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace plumb::semantics
