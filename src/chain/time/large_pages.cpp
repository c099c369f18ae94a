#include "chain/time/large_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace plumb::chain {

void prefer_large_pages(const void* data, std::size_t bytes) noexcept {
  constexpr std::uintptr_t kLargePage = std::uintptr_t{1} << 21;
  constexpr int kCollapse = 25;  // MADV_COLLAPSE, which older headers do not have
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t first = (address + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t last = (address + bytes) / kLargePage * kLargePage;
  if (first >= last) return;
  auto* pages = reinterpret_cast<void*>(first);
  (void)::madvise(pages, last - first, MADV_HUGEPAGE);
  (void)::madvise(pages, last - first, kCollapse);
}

}  // namespace plumb::chain
