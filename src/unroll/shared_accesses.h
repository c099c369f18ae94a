#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <set>
#include <vector>

#include "unroll/memory.h"

namespace plumb::unroll {

/// Which thread may read and write which bytes while others are there, as far as executions have come. What no two of
/// them touch, one to write, is nothing that they can see of each other. It only grows.
class SharedAccesses {
 public:
  struct Range {
    ObjectId object = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    bool is_write = false;
  };

  void add(std::size_t thread, const Range& range);
  /// It may touch anything.
  void add_unclear(std::size_t thread);
  bool is_shared(std::size_t thread, const Range& range) const;
  /// Until it is complete for a bound, everything is shared: what is not interrupted may never come to where it would
  /// be seen that it has to be.
  void set_complete(bool is_complete) { is_complete_ = is_complete; }
  /// Changes with everything that is new.
  std::uint64_t version() const noexcept { return version_; }

 private:
  struct Access {
    std::size_t thread = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    bool is_write = false;
  };
  absl::flat_hash_map<ObjectId, std::vector<Access>> accesses_;
  std::set<std::size_t> unclear_;
  std::uint64_t version_ = 0;
  bool is_complete_ = false;
};

}  // namespace plumb::unroll
