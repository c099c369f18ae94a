#pragma once

#include <cstddef>
#include <vector>

#include "base/error.h"

namespace plumb::solve {

/// Keeps the assertion stack of a backend in step with that of its Solver, lazily: nothing is sent before a check.
/// Assertions made outside all scopes go to the backend's base level; what is new in scopes goes, a check at a time,
/// into one backend scope, so that scopes without a check in between cost nothing. A pop into the middle of a backend
/// scope closes it and sends its rest again. The Target has push(), pop(n) and add(first, last), which asserts
/// those assertions.
class AssertionMirror {
 public:
  /// To be called by Solver::popped().
  void popped(std::size_t kept) noexcept {
    if (kept < kept_) kept_ = kept;
  }
  /// Brings the backend to `size` assertions, of which the first `permanent` stay for good. If the target throws, it
  /// must be emptied and the mirror be reset.
  template <typename Target>
  void synchronise(Target& target, std::size_t permanent, std::size_t size);
  /// Scopes that are open in the backend.
  std::size_t depth() const noexcept { return starts_.size(); }
  /// The backend was emptied.
  void reset() noexcept { *this = AssertionMirror{}; }

 private:
  static constexpr std::size_t kAll = static_cast<std::size_t>(-1);

  std::size_t sent_ = 0;
  std::size_t kept_ = kAll;          ///< the fewest assertions that there were since the last synchronise()
  std::vector<std::size_t> starts_;  ///< the first assertion of each backend scope
};

template <typename Target>
void AssertionMirror::synchronise(Target& target, std::size_t permanent, std::size_t size) {
  std::size_t closed = 0;
  while (sent_ > kept_ && !starts_.empty()) {
    sent_ = starts_.back();
    starts_.pop_back();
    ++closed;
  }
  kept_ = kAll;
  if (closed > 0) target.pop(closed);
  INVARIANT(sent_ <= size, "a backend should have no assertions that its solver dropped");
  INVARIANT(starts_.empty() || sent_ >= permanent, "permanent assertions should be at the base level");
  if (sent_ < permanent) {
    target.add(sent_, permanent);
    sent_ = permanent;
  }
  if (sent_ == size) return;
  target.push();
  starts_.push_back(sent_);
  target.add(sent_, size);
  sent_ = size;
}

}  // namespace plumb::solve
