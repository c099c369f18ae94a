#pragma once

#include <cstdint>

namespace plumb::paths {

/// What a search did, in all its questions.
struct Statistics {
  std::uint64_t questions = 0;       ///< events that were asked for
  std::uint64_t choices = 0;         ///< that the search made
  std::uint64_t contradictions = 0;  ///< that made it go back
  std::uint64_t ends = 0;            ///< of paths
};

}  // namespace plumb::paths
