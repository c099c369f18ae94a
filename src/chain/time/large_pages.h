#pragma once

#include <cstddef>
#include <vector>

namespace plumb::chain {

/// Asks the system to put memory that is in use into large pages: gathers from a vector of many megabytes then seldom
/// miss the translation of addresses. Only a wish, and cheap where it is refused.
void prefer_large_pages(const void* data, std::size_t bytes) noexcept;

inline void prefer_large_pages(const std::vector<double>& vector) noexcept {
  prefer_large_pages(vector.data(), vector.size() * sizeof(double));
}

}  // namespace plumb::chain
