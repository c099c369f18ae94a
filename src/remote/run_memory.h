#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "remote/session.h"

namespace plumb::remote {

/// Answers of runs that ended by themselves. A worker that needs the records of a run which another one has made takes
/// them from here: on a board a run costs far more than its records. Bounded: the oldest go first. Thread-safe.
class RunMemory {
 public:
  explicit RunMemory(std::size_t capacity) : capacity_(capacity) {}

  /// Null if there is none.
  std::shared_ptr<const RunAnswer> find(const RunOrder& order) const;
  /// `order` has all inputs that the run asked for.
  void keep(const RunOrder& order, const std::shared_ptr<const RunAnswer>& answer);

 private:
  std::size_t capacity_;  ///< in bytes
  mutable std::mutex mutex_;
  absl::flat_hash_map<std::string, std::shared_ptr<const RunAnswer>> answers_;
  std::deque<std::string> order_;  ///< the oldest first
  std::size_t size_ = 0;
};

}  // namespace plumb::remote
