#pragma once

#include <cstdint>

namespace plumb::paths {

/// What a search did, in all its questions, and which store decided how often.
struct Statistics {
  struct Decided {
    std::uint64_t refuted = 0;  ///< choices that cannot be together
    std::uint64_t solved = 0;   ///< ends of paths
  };
  std::uint64_t questions = 0;  ///< events that were asked for
  std::uint64_t choices = 0;    ///< that the search made
  std::uint64_t ends = 0;       ///< of paths
  std::uint64_t learnt = 0;     ///< nogoods that refuted something
  Decided intervals;
  Decided orders;
  Decided linear;
  Decided bits;

  std::uint64_t contradictions() const {
    return learnt + intervals.refuted + orders.refuted + linear.refuted + bits.refuted;
  }
};

}  // namespace plumb::paths
