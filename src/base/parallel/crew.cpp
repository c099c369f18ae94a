#include "base/parallel/crew.h"

namespace plumb::parallel {

Crew::~Crew() {
  if (threads_.is_empty()) return;
  task_ = nullptr;
  barrier_.arrive_and_wait();
}

void Crew::run(const std::function<void(unsigned)>& f) {
  if (size_ == 1) return f(0);
  if (threads_.is_empty()) start();
  errors_.assign(size_, nullptr);
  task_ = &f;
  barrier_.arrive_and_wait();
  work(0);
  barrier_.arrive_and_wait();
  for (const std::exception_ptr& error : errors_)
    if (error) std::rethrow_exception(error);
}

void Crew::start() {
  for (unsigned worker = 1; worker < size_; ++worker)
    threads_.start([this, worker](const std::stop_token&) {
      while (true) {
        barrier_.arrive_and_wait();
        if (task_ == nullptr) return;
        work(worker);
        barrier_.arrive_and_wait();
      }
    });
}

void Crew::work(unsigned worker) noexcept {
  try {
    (*task_)(worker);
  } catch (...) {
    errors_[worker] = std::current_exception();
  }
}

}  // namespace plumb::parallel
