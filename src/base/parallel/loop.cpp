#include "base/parallel/loop.h"

#include <utility>

namespace plumb::parallel {

void run_on(unsigned threads, const std::function<void(unsigned worker)>& f) {
  const unsigned count = thread_count(threads);
  if (count == 1) return f(0);
  Threads helpers;
  for (unsigned worker = 1; worker < count; ++worker)
    helpers.start([&f, worker](const std::stop_token&) { f(worker); });
  f(0);  // what it throws is the first worker's; the others are waited for on the way out
  helpers.join();
}

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
