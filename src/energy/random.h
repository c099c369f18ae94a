#pragma once

#include <array>
#include <cstdint>

namespace plumb::energy {

/// Philox-4x32-10: a keyed bijection of 128-bit counters whose values pass for random. Ten rounds of multiply and
/// exchange; J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. There is
/// no state, so that any number of streams is independent of the order, and of the thread, in which they are drawn.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// The numbers of one stream. The seed is the key; replication, stream and position are the counter: streams with
/// another seed, replication or stream number have nothing in common.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t replication, std::uint32_t stream)
      : seed_(seed), replication_(replication), stream_(stream) {}

  /// In [0, 1), by 53 bits. The one at a position is the same however many were asked for before.
  double uniform(std::uint32_t position) const;

 private:
  std::uint64_t seed_;
  std::uint64_t replication_;
  std::uint32_t stream_;
};

}  // namespace plumb::energy
