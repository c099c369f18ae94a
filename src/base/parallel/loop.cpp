#include "base/parallel/loop.h"

#include <utility>

namespace plumb::parallel {

void IndexQueue::fail(std::size_t index, std::exception_ptr failure) {
  next_ = count_;
  const std::scoped_lock lock(mutex_);
  if (index >= failed_) return;
  failed_ = index;
  failure_ = std::move(failure);
}

void IndexQueue::finish() const {
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace plumb::parallel
