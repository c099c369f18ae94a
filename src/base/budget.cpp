#include "base/budget.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/error.h"

namespace plumb {

namespace {

using Clock = Budget::Clock;

constexpr std::chrono::milliseconds kMemoryInterval{5};

/// The descriptor stays open for the life of the process: a reading is then one system call.
int statm_descriptor() noexcept {
  static const int descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  return descriptor;
}

/// The last reading of resident memory, shared by all threads and refreshed by whichever asks first after it has aged.
std::uint64_t cached_resident_memory(Clock::time_point now) noexcept {
  static std::atomic<Clock::rep> next_reading{Clock::time_point::min().time_since_epoch().count()};
  static std::atomic<std::uint64_t> reading{0};
  Clock::rep due = next_reading.load(std::memory_order_relaxed);
  const Clock::rep next = (now + kMemoryInterval).time_since_epoch().count();
  if (now.time_since_epoch().count() >= due &&
      next_reading.compare_exchange_strong(due, next, std::memory_order_relaxed)) {
    reading.store(resident_memory(), std::memory_order_relaxed);
  }
  return reading.load(std::memory_order_relaxed);
}

/// `seconds` from now, or the end of time if the clock cannot count that far.
Clock::time_point deadline_after(std::chrono::duration<double> seconds) {
  const Clock::time_point now = Clock::now();
  const std::chrono::duration<double> room = Clock::time_point::max() - now;
  if (seconds >= room / 2) return Clock::time_point::max();
  return now + std::chrono::duration_cast<Clock::duration>(std::max(seconds, std::chrono::duration<double>::zero()));
}

}  // namespace

std::string_view to_string(Stop stop) {
  switch (stop) {
    case Stop::Time:
      return "out of time";
    case Stop::Memory:
      return "out of memory";
    case Stop::Cancelled:
      return "cancelled";
  }
  INVARIANT(false, "a reason to stop should be one of the listed ones");
}

/// Shared by the copies of a budget, and by the chain of budgets made from it.
struct Budget::Cancellation {
  explicit Cancellation(std::shared_ptr<const Cancellation> outer_flag) : outer(std::move(outer_flag)) {}

  bool raised() const noexcept {
    for (const Cancellation* c = this; c != nullptr; c = c->outer.get()) {
      if (c->flag.load(std::memory_order_relaxed)) return true;
    }
    return false;
  }

  std::atomic<bool> flag{false};
  const std::shared_ptr<const Cancellation> outer;
};

Budget::Budget() : cancellation_(std::make_shared<Cancellation>(nullptr)) {}

Budget Budget::with_timeout(std::chrono::duration<double> seconds) const {
  Budget result = *this;
  const Clock::time_point deadline = deadline_after(seconds);
  result.deadline_ = deadline_ ? std::min(*deadline_, deadline) : deadline;
  return result;
}

Budget Budget::with_memory_limit(std::uint64_t bytes) const {
  Budget result = *this;
  result.memory_limit_ = memory_limit_ ? std::min(*memory_limit_, bytes) : bytes;
  return result;
}

Budget Budget::with_own_cancellation() const {
  Budget result = *this;
  result.cancellation_ = std::make_shared<Cancellation>(cancellation_);
  return result;
}

void Budget::cancel() const noexcept { cancellation_->flag.store(true, std::memory_order_relaxed); }

std::optional<Stop> Budget::exceeded() const noexcept {
  if (cancellation_->raised()) return Stop::Cancelled;
  if (!deadline_ && !memory_limit_) return std::nullopt;
  const Clock::time_point now = Clock::now();
  if (deadline_ && now >= *deadline_) return Stop::Time;
  if (memory_limit_ && cached_resident_memory(now) > *memory_limit_) return Stop::Memory;
  return std::nullopt;
}

void Budget::check() const {
  if (const std::optional<Stop> stop = exceeded()) throw OutOfBudget{*stop};
}

std::optional<std::chrono::duration<double>> Budget::time_left() const noexcept {
  if (!deadline_) return std::nullopt;
  return std::max(std::chrono::duration<double>(*deadline_ - Clock::now()), std::chrono::duration<double>::zero());
}

std::uint64_t resident_memory() noexcept {
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::array<char, 128> text;
  const ssize_t size = pread(statm_descriptor(), text.data(), text.size() - 1, 0);
  if (size <= 0) return 0;
  text[static_cast<std::size_t>(size)] = '\0';
  // The first field is the address space, the second the resident pages.
  char* after_total = nullptr;
  std::strtoull(text.data(), &after_total, 10);
  return std::strtoull(after_total, nullptr, 10) * page;
}

}  // namespace plumb
