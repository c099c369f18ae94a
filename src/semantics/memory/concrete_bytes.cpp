#include "semantics/memory/concrete_bytes.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <new>
#include <vector>

namespace plumb::semantics {

static_assert(std::endian::native == std::endian::little, "numbers are copied to and from the program's bytes");

ConcreteBytes::Buffer* ConcreteBytes::allocate(std::uint64_t size, bool zero) {
  if (size == 0) return nullptr;
  if (size > static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max()) - sizeof(Buffer))
    throw std::bad_alloc();
  // calloc leaves large zeroed objects to the pages of the host, so that a sparse table costs what is used of it.
  void* raw = zero ? std::calloc(1, sizeof(Buffer) + size) : std::malloc(sizeof(Buffer) + size);
  if (raw == nullptr) throw std::bad_alloc();
  return new (raw) Buffer{1, size};
}

ConcreteBytes ConcreteBytes::filled(std::uint64_t size, std::uint8_t byte) {
  if (byte == 0) return zeroed(size);
  Buffer* buffer = allocate(size, false);
  if (buffer != nullptr) std::memset(bytes(buffer), byte, size);
  return ConcreteBytes(buffer);
}

ConcreteBytes ConcreteBytes::zeroed(std::uint64_t size) { return ConcreteBytes(allocate(size, true)); }

ConcreteBytes ConcreteBytes::from(std::span<const std::uint8_t> content, std::uint64_t size) {
  INVARIANT(content.size() <= size, "the initial content should fit its object");
  Buffer* buffer = allocate(size, true);
  if (!content.empty()) std::memcpy(bytes(buffer), content.data(), content.size());
  return ConcreteBytes(buffer);
}

void ConcreteBytes::unshare() {
  Buffer* copy = allocate(buffer_->size, false);
  std::memcpy(bytes(copy), bytes(buffer_), buffer_->size);
  --buffer_->references;
  buffer_ = copy;
}

BitVector ConcreteBytes::load_wide(std::uint64_t offset, std::uint32_t count, ByteOrder order) const {
  INVARIANT(count > 0 && is_inside(offset, count), "a load should be inside the object");
  if (count <= 8 && order == ByteOrder::Little) return {count * 8, load(offset, count)};
  std::vector<std::uint64_t> words((std::size_t{count} + 7) / 8);
  auto* const to = reinterpret_cast<std::uint8_t*>(words.data());
  const std::uint8_t* const from = data() + offset;
  if (order == ByteOrder::Little)
    std::memcpy(to, from, count);
  else
    std::reverse_copy(from, from + count, to);
  return BitVector::from_words(count * 8, words);
}

void ConcreteBytes::store_wide(std::uint64_t offset, const BitVector& value, ByteOrder order) {
  const std::uint32_t count = value.width() / 8;
  INVARIANT(value.width() % 8 == 0 && is_inside(offset, count), "a store should be of bytes inside the object");
  std::uint8_t* const to = writable_data() + offset;
  std::memcpy(to, value.words().data(), count);
  if (order == ByteOrder::Big) std::reverse(to, to + count);
}

void ConcreteBytes::fill(std::uint64_t offset, std::uint64_t count, std::uint8_t byte) {
  INVARIANT(is_inside(offset, count), "a fill should be inside the object");
  if (count > 0) std::memset(writable_data() + offset, byte, count);
}

void ConcreteBytes::copy(std::uint64_t offset, const ConcreteBytes& source, std::uint64_t source_offset,
                         std::uint64_t count) {
  INVARIANT(is_inside(offset, count) && source.is_inside(source_offset, count), "a copy should be inside both objects");
  if (count == 0) return;
  // Unsharing may give this object, and so the source if they are one, another buffer: it comes first.
  std::uint8_t* to = writable_data() + offset;
  std::memmove(to, source.data() + source_offset, count);
}

}  // namespace plumb::semantics
