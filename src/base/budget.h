#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace plumb {

/// Why work had to stop.
enum class Stop : std::uint8_t { Time, Memory, Cancelled };
std::string_view to_string(Stop stop);  ///< "out of time", "out of memory", "cancelled"

/// The limits of a piece of work: a deadline, a cap on the process's resident memory and a cancellation flag.
/// Passed down by const reference and asked by every loop that can run long. Copies share the cancellation flag;
/// a sub-budget made by with_timeout() ends no later than its parent. exceeded() is cheap enough for every few
/// thousand steps of an inner loop (it reads the clock, and the memory use at most a hundred times a second).
/// All members may be called from any thread.
class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  /// Without limits.
  Budget();

  Budget with_timeout(std::chrono::duration<double> seconds) const;
  Budget with_memory_limit(std::uint64_t bytes) const;
  /// Has its own cancellation flag beside that of this budget: cancelling the child leaves the parent alone.
  Budget with_own_cancellation() const;

  void cancel() const noexcept;
  std::optional<Stop> exceeded() const noexcept;
  /// Throws OutOfBudget if exceeded().
  void check() const;
  std::optional<std::chrono::duration<double>> time_left() const noexcept;  ///< never negative
  std::optional<std::uint64_t> memory_limit() const noexcept { return memory_limit_; }

 private:
  struct Cancellation;
  std::shared_ptr<Cancellation> cancellation_;
  std::optional<Clock::time_point> deadline_;
  std::optional<std::uint64_t> memory_limit_;
};

/// Thrown by Budget::check() in code that has no other way out; an engine turns it into Unknown.
struct OutOfBudget {
  Stop stop;
};

/// Resident memory of this process in bytes.
std::uint64_t resident_memory() noexcept;

}  // namespace plumb
