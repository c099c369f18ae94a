#pragma once

#include <cstdint>

namespace plumb::replay {

/// A defect that the run showed, as the target says it: worth a replay, no more.
struct SeenDefect {
  std::uint32_t kind = 0;  ///< enum plumb_defect
  std::uint32_t site = 0;  ///< SiteId, 0 if it is not known; of a leak, of the allocation
  std::uint32_t hash = 0;  ///< of the innermost return addresses; of a leak, of its allocation's
  std::uint32_t access = 0;
  std::uint32_t object_kind = 0;  ///< enum plumb_object_kind
  std::uint64_t address = 0;
  std::uint64_t object_base = 0;
  std::uint64_t object_size = 0;
};

}  // namespace plumb::replay
