#include "base/parallel/threads.h"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>

namespace plumb::parallel {

unsigned thread_count(unsigned wanted) {
  if (wanted != 0) return wanted;
  cpu_set_t usable;
  CPU_ZERO(&usable);
  // Fails where there are more cores than the set has room for.
  if (sched_getaffinity(0, sizeof usable, &usable) == 0) return static_cast<unsigned>(CPU_COUNT(&usable));
  return std::max(1U, std::thread::hardware_concurrency());
}

void lower_priority(pid_t thread, int level) noexcept {
  const auto id = static_cast<id_t>(thread);
  if (getpriority(PRIO_PROCESS, id) < level) setpriority(PRIO_PROCESS, id, level);
}

Threads::~Threads() { request_stop(); }

void Threads::start(std::function<void(const std::stop_token& stop)> work) {
  Member& member = members_.emplace_back();
  member.thread = std::jthread([&failure = member.failure, work = std::move(work)](const std::stop_token& stop) {
    try {
      work(stop);
    } catch (...) {
      failure = std::current_exception();
    }
  });
}

void Threads::request_stop() noexcept {
  for (Member& member : members_) member.thread.request_stop();
}

void Threads::join() {
  std::exception_ptr first;
  for (; !members_.empty(); members_.pop_front()) {
    Member& member = members_.front();
    if (member.thread.joinable()) member.thread.join();
    if (!first) first = std::exchange(member.failure, nullptr);
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace plumb::parallel
