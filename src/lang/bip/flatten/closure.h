#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "lang/bip/expression.h"

namespace plumb::bip::flat {

/// A set of small numbers.
class Bits {
 public:
  explicit Bits(std::size_t size = 0) : words_((size + 63) / 64) {}

  bool test(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  bool any() const;
  bool is_subset_of(const Bits& other) const;
  void remove(const Bits& other);
  void add(const Bits& other);
  /// Its members in ascending order.
  std::vector<std::uint32_t> members() const;

  friend bool operator==(const Bits&, const Bits&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

/// Every one of `low` gives way to every one of `high`, where the guard holds.
struct PriorityRule {
  Bits low;
  Bits high;
  std::uint32_t guard = kNone;  ///< which of the guards; kNone: always
  Place place;
};

/// Guards that hold together, sorted.
using GuardSet = std::vector<std::uint32_t>;

/// The transitive closure of rules, for nodes 0 to n - 1.
struct PriorityClosure {
  struct Pair {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    GuardSet guards;  ///< empty: always
    Place place;      ///< of a rule on the way from low to high
  };
  struct Cycle {
    std::vector<std::uint32_t> nodes;  ///< each gives way to the next, the last to the first
    GuardSet guards;
    Place place;
  };
  std::vector<Pair> pairs;  ///< sorted by low; of those for one pair of nodes, none follows from another
  std::optional<Cycle> unconditional_cycle;  ///< if there is one, the rest is not computed
  std::vector<Cycle> conditional_cycles;     ///< no set of guards includes another
  bool is_too_large = false;                 ///< more than `limit` pairs and guards, or too many for two nodes
};

/// `progress[i]`: to which i gives way without a rule. Sets of guards that `can_hold` denies are left out.
PriorityClosure close_priorities(const std::vector<Bits>& progress, const std::vector<PriorityRule>& rules,
                                 const std::function<bool(const GuardSet&)>& can_hold, std::size_t limit);

}  // namespace plumb::bip::flat
