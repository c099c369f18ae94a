#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <span>
#include <vector>

namespace plumb::explore {

/// Which memory threads keep apart by themselves: cells of four bytes that one thread alone accesses, that are never
/// written while there are others, or that are accessed under one mutex alone. When such an access happens makes no
/// difference to the others, so it needs no step of its own (Lipton, "Reduction", 1975). Nor does it make one when a
/// thread reads what it alone writes.
///
/// What is kept apart is guessed: all memory, until an access shows that it is not. A search that relies on the guess
/// comes to such an access if there is one: up to the first one, all runs can be reordered into those that the search
/// looks at. Then the guess is mended(), and the search begins again.
class Discipline {
 public:
  /// An access to `size` bytes while other threads live. `held`: the mutexes that its thread has.
  struct Access {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    std::uint32_t thread = 0;
    bool is_write = false;
    std::span<const std::uint64_t> held;
  };

  /// Others cannot tell when it happens, as far as is known with this access.
  bool hides(const Access& access) const;
  /// Takes note of an access of some run.
  void add(const Access& access);

  /// Something was hidden that should not have been.
  bool is_broken() const noexcept { return !broken_.empty(); }
  /// After that: hides no longer what it was.
  void mend();

 private:
  struct Cell {
    std::uint32_t thread = 0;
    bool is_of_many = false;  ///< threads
    std::uint32_t writer = kNobody;
    bool is_written_by_many = false;
    std::vector<std::uint64_t> mutexes;  ///< that all accesses had in common
    bool is_kept_apart() const noexcept { return !is_of_many || writer == kNobody || !mutexes.empty(); }
  };
  static constexpr std::uint64_t kCellBytes = 4;
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  static void widen(Cell& cell, const Access& access);
  template <typename Visit>
  static void for_each_cell(const Access& access, Visit&& visit);

  absl::flat_hash_map<std::uint64_t, Cell> cells_;               ///< by address / kCellBytes
  absl::flat_hash_map<std::uint64_t, std::uint32_t> contended_;  ///< who alone writes it, or kNobody
  std::vector<std::uint64_t> broken_;
};

}  // namespace plumb::explore
