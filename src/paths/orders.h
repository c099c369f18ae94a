#pragma once

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <vector>

#include "paths/domains.h"
#include "paths/explanation.h"

namespace plumb::paths {

/// The store of orders: which cells are at most, less than or equal to which others, as comparisons and choices of
/// joined values say. A circle through something less is a contradiction. That is what intervals cannot see: of the
/// elements of a sorted array nothing is known but their order. Only cells take part that some comparison of two that
/// are no constants is about, and the branches of these. Unsigned and signed orders are apart. Not thread-safe.
class Orders {
 public:
  explicit Orders(const Domains& domains) : domains_(domains) {}

  /// Looks at cells that were made since.
  void update();
  /// A change of the trail: what it says of orders, and what contradicts that.
  std::optional<Contradiction> on_change(Domains::Mark mark);
  /// Cells that should be different, but are equal by what is between them.
  std::optional<Contradiction> at_end();
  /// What was said so far holds for good: the trail is empty then.
  void settle();
  /// Forgets what changes from here on have said.
  void backtrack(Domains::Mark end);

 private:
  using Kinds = std::uint8_t;  ///< bits
  static constexpr Kinds kUnsigned = 1;
  static constexpr Kinds kSigned = 2;

  /// One cell is at most, or less than, another.
  struct Edge {
    Cell to = 0;
    bool is_strict = false;
    Kinds kinds = 0;
    Domains::Mark mark = 0;  ///< of the change that says so; kRoot: it holds for good
  };
  struct Visit {
    Cell cell = 0;
    bool is_strict = false;  ///< some step to it was
    std::size_t from = 0;
    Domains::Mark mark = 0;
  };

  void put(Cell ordered);
  std::optional<Contradiction> add(Cell from, const Edge& edge);
  std::optional<Contradiction> add_equal(Cell a, Cell b, Domains::Mark mark);
  std::optional<Contradiction> compare(Cell comparison, Domains::Mark mark);
  /// A way from one cell to another, through something less if that is needed; `mark` is what would close a circle.
  std::optional<Contradiction> way(Cell from, Cell to, bool needs_strict, Kinds kinds, Domains::Mark mark);

  const Domains& domains_;
  std::size_t seen_cells_ = 0;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> number_;                          ///< by cell: of those that take part
  absl::flat_hash_map<Cell, std::vector<Cell>> joins_;         ///< by condition: ordered cells that it decides
  std::vector<std::vector<Edge>> edges_;                       ///< by number
  std::vector<std::pair<std::uint32_t, Domains::Mark>> made_;  ///< whose last edge is of which change
  std::vector<std::pair<Cell, Domains::Mark>> different_;      ///< equations that do not hold
  std::vector<Visit> visits_;
  std::vector<std::uint32_t> seen_;  ///< by number and whether something was less: in which search
  std::uint32_t search_ = 0;
};

}  // namespace plumb::paths
