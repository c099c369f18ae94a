#pragma once

#include <barrier>
#include <cstddef>
#include <exception>
#include <functional>
#include <vector>

#include "base/parallel/loop.h"
#include "base/parallel/threads.h"

namespace plumb::parallel {

/// Threads that wait for work, so that giving them some costs microseconds and can be done many times a second. They
/// are started when there is work for the first time. Not for use by several threads at once.
class Crew {
 public:
  /// As many as thread_count() says, with the calling one.
  explicit Crew(unsigned threads) : size_(thread_count(threads)), barrier_(size_) {}
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew();

  unsigned size() const noexcept { return size_; }

  /// Calls f(worker) for workers 0 (the calling thread) to size() - 1 and waits for all. An exception of a worker comes
  /// out of here, that of the first if there are several; a worker that calls sync() must not throw.
  void run(const std::function<void(unsigned)>& f);
  /// Inside of f: waits until all workers have come here. All of them have to call it equally often.
  void sync() {
    if (size_ > 1) barrier_.arrive_and_wait();
  }
  /// Calls f(first, last, worker) on consecutive parts of 0 to size, one a worker.
  template <typename F>
  void run_parts(std::size_t size, F&& f) {
    run([&](unsigned worker) { f(size * worker / size_, size * (worker + 1) / size_, worker); });
  }
  /// Calls f(i, worker) for i from 0 to count - 1; whoever is free takes the next one. Exceptions as for_each_index().
  template <typename F>
  void run_each(std::size_t count, F&& f) {
    IndexQueue queue(count);
    run([&](unsigned worker) { queue.work([&](std::size_t i) { f(i, worker); }); });
    queue.finish();
  }

 private:
  void start();
  void work(unsigned worker) noexcept;

  unsigned size_;
  std::barrier<> barrier_;
  const std::function<void(unsigned)>* task_ = nullptr;
  std::vector<std::exception_ptr> errors_;
  Threads threads_;  // last: they use all of the above
};

}  // namespace plumb::parallel
