#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace plumb::chain {

/// A vector of plain values for hundreds of millions of them: it grows by realloc(), which moves large blocks by
/// changing page tables, so growing neither copies nor needs twice the memory.
template <typename T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  GrowingArray() = default;
  GrowingArray(GrowingArray&& other) noexcept { swap(other); }
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    swap(other);
    return *this;
  }
  GrowingArray(const GrowingArray&) = delete;
  GrowingArray& operator=(const GrowingArray&) = delete;
  ~GrowingArray() { std::free(data_); }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  std::size_t bytes() const noexcept { return capacity_ * sizeof(T); }
  const T* data() const noexcept { return data_; }
  T* data() noexcept { return data_; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& back() const noexcept { return data_[size_ - 1]; }
  std::span<const T> span() const noexcept { return {data_, size_}; }

  void push_back(T value) {
    if (size_ == capacity_) reserve(capacity_ + capacity_ / 2 + 64);
    data_[size_++] = value;
  }
  /// Room for `count` more, to be written by the caller.
  T* extend(std::size_t count) {
    if (size_ + count > capacity_) reserve(std::max(size_ + count, capacity_ + capacity_ / 2 + 64));
    T* first = data_ + size_;
    size_ += count;
    return first;
  }
  /// New elements are zero bytes.
  void resize(std::size_t size) {
    if (size > capacity_) reserve(size);
    if (size > size_) std::memset(static_cast<void*>(data_ + size_), 0, (size - size_) * sizeof(T));
    size_ = size;
  }
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    void* grown = std::realloc(static_cast<void*>(data_), capacity * sizeof(T));
    if (grown == nullptr) throw std::bad_alloc();
    data_ = static_cast<T*>(grown);
    capacity_ = capacity;
  }
  /// Gives back what is not used.
  void shrink() {
    if (size_ == capacity_ || size_ == 0) return;
    if (void* smaller = std::realloc(static_cast<void*>(data_), size_ * sizeof(T))) {
      data_ = static_cast<T*>(smaller);
      capacity_ = size_;
    }
  }
  void swap(GrowingArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace plumb::chain
