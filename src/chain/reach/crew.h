#pragma once

#include <atomic>
#include <barrier>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace plumb::chain {

/// Threads that wait for work, so that giving them some costs microseconds and can be done many times a second. They
/// are started when there is work for the first time. Not for use by several threads at once.
class Crew {
 public:
  /// 0: as many as there are cores.
  explicit Crew(unsigned threads)
      : size_(threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency())), barrier_(size_) {}
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() {
    if (threads_.empty()) return;
    task_ = nullptr;
    barrier_.arrive_and_wait();
  }

  unsigned size() const noexcept { return size_; }

  /// Calls f(worker) for workers 0 (the calling thread) to size() - 1 and waits for all. An exception of a worker comes
  /// out of here, that of the first if there are several; a worker that calls sync() must not throw.
  void run(const std::function<void(unsigned)>& f) {
    if (size_ == 1) return f(0);
    if (threads_.empty()) start();
    errors_.assign(size_, nullptr);
    task_ = &f;
    barrier_.arrive_and_wait();
    work(0);
    barrier_.arrive_and_wait();
    for (const std::exception_ptr& error : errors_)
      if (error) std::rethrow_exception(error);
  }
  /// Inside of f: waits until all workers have come here. All of them have to call it equally often.
  void sync() {
    if (size_ > 1) barrier_.arrive_and_wait();
  }
  /// Calls f(first, last, worker) on consecutive parts of 0 to size, one a worker.
  template <typename F>
  void run_parts(std::size_t size, F&& f) {
    run([&](unsigned worker) { f(size * worker / size_, size * (worker + 1) / size_, worker); });
  }
  /// Calls f(i, worker) for i from 0 to count - 1; whoever is free takes the next one.
  template <typename F>
  void run_each(std::size_t count, F&& f) {
    std::atomic<std::size_t> next = 0;
    run([&](unsigned worker) {
      for (std::size_t i = next++; i < count; i = next++) f(i, worker);
    });
  }

 private:
  void start() {
    for (unsigned worker = 1; worker < size_; ++worker)
      threads_.emplace_back([this, worker] {
        while (true) {
          barrier_.arrive_and_wait();
          if (task_ == nullptr) return;
          work(worker);
          barrier_.arrive_and_wait();
        }
      });
  }
  void work(unsigned worker) noexcept {
    try {
      (*task_)(worker);
    } catch (...) {
      errors_[worker] = std::current_exception();
    }
  }

  unsigned size_;
  std::barrier<> barrier_;
  const std::function<void(unsigned)>* task_ = nullptr;
  std::vector<std::exception_ptr> errors_;
  std::vector<std::jthread> threads_;
};

}  // namespace plumb::chain
