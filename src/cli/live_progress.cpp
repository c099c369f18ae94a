#include "cli/live_progress.h"

#include <chrono>

namespace plumb::cli {

LiveProgress::LiveProgress(std::string task, bool quiet)
    : progress_(std::move(task), quiet), thread_([this](const std::stop_token& stop) { run(stop); }) {}

void LiveProgress::set_status(std::string status) {
  const std::lock_guard lock(mutex_);
  status_ = std::move(status);
}

void LiveProgress::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    progress_.update(status_);
    wake_.wait_for(lock, stop, std::chrono::milliseconds(250), [] { return false; });
  }
}

}  // namespace plumb::cli
