#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>

#include "base/bit_vector.h"

namespace plumb::semantics {

/// What every byte of the stack and the heap holds until it is written. A pointer of such bytes points nowhere, so its
/// use is seen.
inline constexpr std::uint8_t kUninitialised = 0xBE;

/// Of a number in memory: its lowest byte first, or last.
enum class ByteOrder : std::uint8_t { Little, Big };

/// The bytes of a memory object, concrete; numbers are little-endian unless it is said. Copies share a buffer until one
/// of them writes; counting is not atomic, so all copies belong to one thread. Offsets need to be in bounds: a Memory
/// checks accesses first, here only debug builds check the short ones again.
class ConcreteBytes {
 public:
  /// No bytes.
  ConcreteBytes() noexcept = default;
  /// Each throws std::bad_alloc if the host has not that much.
  static ConcreteBytes uninitialised(std::uint64_t size) { return filled(size, kUninitialised); }
  static ConcreteBytes filled(std::uint64_t size, std::uint8_t byte);
  static ConcreteBytes zeroed(std::uint64_t size);
  /// `content`, then zeros up to the size.
  static ConcreteBytes from(std::span<const std::uint8_t> content, std::uint64_t size);

  ConcreteBytes(const ConcreteBytes& other) noexcept : buffer_(other.buffer_) {
    if (buffer_ != nullptr) ++buffer_->references;
  }
  ConcreteBytes(ConcreteBytes&& other) noexcept : buffer_(std::exchange(other.buffer_, nullptr)) {}
  ConcreteBytes& operator=(ConcreteBytes other) noexcept {
    std::swap(buffer_, other.buffer_);
    return *this;
  }
  ~ConcreteBytes() {
    if (buffer_ != nullptr && --buffer_->references == 0) std::free(buffer_);
  }

  std::uint64_t size() const noexcept { return buffer_ == nullptr ? 0 : buffer_->size; }
  /// Null if there are none. Good until the next write to this object.
  const std::uint8_t* data() const noexcept { return buffer_ == nullptr ? nullptr : bytes(buffer_); }
  /// Unshared first. Needs at least one byte; good until this object is copied.
  std::uint8_t* writable_data() {
    if (buffer_->references > 1) [[unlikely]]
      unshare();
    return bytes(buffer_);
  }

  /// 1 to 8 bytes as a number.
  std::uint64_t load(std::uint64_t offset, std::uint32_t count) const {
    DCHECK(count <= 8 && is_inside(offset, count), "a load should be inside the object");
    const std::uint8_t* from = bytes(buffer_) + offset;
    switch (count) {
      case 1:
        return *from;
      case 2:
        return read<std::uint16_t>(from);
      case 4:
        return read<std::uint32_t>(from);
      case 8:
        return read<std::uint64_t>(from);
      default:
        break;
    }
    std::uint64_t value = 0;
    std::memcpy(&value, from, count);
    return value;
  }
  /// The low 1 to 8 bytes of a number.
  void store(std::uint64_t offset, std::uint64_t value, std::uint32_t count) {
    DCHECK(count <= 8 && is_inside(offset, count), "a store should be inside the object");
    std::uint8_t* to = writable_data() + offset;
    switch (count) {
      case 1:
        std::memcpy(to, &value, 1);
        return;
      case 2:
        std::memcpy(to, &value, 2);
        return;
      case 4:
        std::memcpy(to, &value, 4);
        return;
      case 8:
        std::memcpy(to, &value, 8);
        return;
      default:
        std::memcpy(to, &value, count);
        return;
    }
  }
  /// Any number of bytes but none.
  BitVector load_wide(std::uint64_t offset, std::uint32_t count, ByteOrder order = ByteOrder::Little) const;
  /// Of a width that is a multiple of 8.
  void store_wide(std::uint64_t offset, const BitVector& value, ByteOrder order = ByteOrder::Little);

  void fill(std::uint64_t offset, std::uint64_t count, std::uint8_t byte);
  /// As memmove; `source` may be this object.
  void copy(std::uint64_t offset, const ConcreteBytes& source, std::uint64_t source_offset, std::uint64_t count);

  bool is_inside(std::uint64_t offset, std::uint64_t count) const noexcept {
    return offset <= size() && count <= size() - offset;
  }
  /// Both have the same buffer: their bytes are equal. The other way round need not hold.
  bool shares_with(const ConcreteBytes& other) const noexcept { return buffer_ == other.buffer_; }

 private:
  /// The bytes follow it.
  struct Buffer {
    std::uint64_t references;
    std::uint64_t size;
  };
  static std::uint8_t* bytes(Buffer* buffer) noexcept { return reinterpret_cast<std::uint8_t*>(buffer + 1); }
  static Buffer* allocate(std::uint64_t size, bool zero);
  template <typename T>
  static std::uint64_t read(const std::uint8_t* from) noexcept {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  explicit ConcreteBytes(Buffer* buffer) noexcept : buffer_(buffer) {}
  [[gnu::noinline]] void unshare();

  Buffer* buffer_ = nullptr;
};

}  // namespace plumb::semantics
