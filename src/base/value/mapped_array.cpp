#include "base/value/mapped_array.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace plumb {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;

std::size_t whole_pages(std::size_t bytes) {
  constexpr std::size_t kPage = 1 << 12;
  return (bytes + kPage - 1) / kPage * kPage;
}

}  // namespace

void* map_pages(std::size_t wanted) {
  const std::size_t bytes = whole_pages(wanted);
  // Large pages begin at their multiples: one more leaves room for that.
  const std::size_t size = bytes >= kLargePage ? bytes + kLargePage : bytes;
  void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  if (size == bytes) return mapped;
  const auto address = reinterpret_cast<std::uintptr_t>(mapped);
  const std::uintptr_t aligned = (address + kLargePage - 1) / kLargePage * kLargePage;
  if (aligned != address) ::munmap(mapped, aligned - address);
  const std::size_t behind = address + size - aligned - bytes;
  if (behind != 0) ::munmap(reinterpret_cast<void*>(aligned + bytes), behind);
  // Only a wish: without large pages everything works, slower.
  (void)::madvise(reinterpret_cast<void*>(aligned), bytes, MADV_HUGEPAGE);
  return reinterpret_cast<void*>(aligned);
}

void unmap_pages(void* pages, std::size_t bytes) noexcept { ::munmap(pages, whole_pages(bytes)); }

}  // namespace plumb
