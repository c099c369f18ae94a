#include "unroll/shared_accesses.h"

#include <algorithm>

namespace plumb::unroll {

void SharedAccesses::add(std::size_t thread, const Range& range) {
  std::vector<Access>& known = accesses_[range.object];
  const auto has_all = [&](const Access& a) {
    return a.thread == thread && a.first <= range.first && range.last <= a.last && a.is_write >= range.is_write;
  };
  if (std::ranges::any_of(known, has_all)) return;
  known.push_back({thread, range.first, range.last, range.is_write});
  ++version_;
}

void SharedAccesses::add_unclear(std::size_t thread) {
  if (unclear_.insert(thread).second) ++version_;
}

bool SharedAccesses::is_shared(std::size_t thread, const Range& range) const {
  if (!is_complete_) return true;
  if (std::ranges::any_of(unclear_, [&](std::size_t other) { return other != thread; })) return true;
  const auto known = accesses_.find(range.object);
  return known != accesses_.end() && std::ranges::any_of(known->second, [&](const Access& a) {
           return a.thread != thread && a.first <= range.last && range.first <= a.last &&
                  (a.is_write || range.is_write);
         });
}

}  // namespace plumb::unroll
