#pragma once

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "paths/domains.h"
#include "paths/nogoods.h"

namespace plumb::paths {

/// Bounds of a domain, as bits: those of the unsigned interval and of the signed one.
using Bounds = std::uint8_t;
inline constexpr Bounds kAllBounds = 15;

/// A contradiction, as changes that cannot be together; of each, some of the bounds that the domain had then.
struct Contradiction {
  struct Premise {
    Domains::Mark mark = Domains::kRoot;
    Bounds bounds = kAllBounds;
    Range domain;  ///< after the change
  };
  std::vector<Premise> premises;
};

/// Which choices a contradiction needs. Going back over the trail, latest change first, each narrowing is asked for
/// what it needs: bounds without which its rule gives the same are left out, and a bound is led back to the change that
/// first gave it. That ends at Booleans: of the last level at the first one that all of the contradiction comes
/// through, of earlier levels at the first that are met. So the search can jump back over choices that have nothing to
/// do with it.
class Explanation {
 public:
  Explanation(const Domains& domains, const Nogoods& nogoods) : domains_(domains), nogoods_(nogoods) {}

  struct Learnt {
    /// They cannot hold together. The first is the only one of the last level, the second of the level to go back to.
    std::vector<Literal> literals;
    std::uint32_t level = 0;  ///< where the first one is implied not to hold
  };
  /// Nothing: the contradiction needs no choice at all.
  std::optional<Learnt> of(const Contradiction& contradiction);

  Contradiction of_conflict(const Domains::Change& conflict);
  Contradiction of_nogood(Nogoods::Id id) const;
  /// Of changes with all bounds that they gave, and those before.
  Contradiction of_changes(std::span<const Domains::Mark> marks) const;

 private:
  using Mark = Domains::Mark;
  using Premise = Contradiction::Premise;
  /// What a cell's domain was before some change.
  struct Version {
    Cell cell = kNoCell;
    Mark mark = Domains::kRoot;
    Range domain;
  };

  void start();
  void add(const Premise& premise);
  void collect(Learnt& learnt, std::vector<std::uint32_t>& levels);
  void expand(Mark mark, const Premise& needed, std::vector<Premise>& to);
  /// What the rule of a change needs so that it leaves nothing outside of `needed`; of a conflict, so that nothing is
  /// left.
  void lift(const Domains::Change& change, Mark mark, const std::optional<Range>& needed, std::vector<Premise>& to);
  Version before(Cell c, Mark mark) const;
  Premise premise(const Version& version, Bounds bounds) const;
  Literal literal(Cell c) const { return {c, domains_.domain(c).is_true()}; }
  static void put_second(std::vector<Literal>& literals, const std::vector<std::uint32_t>& levels);

  const Domains& domains_;
  const Nogoods& nogoods_;
  std::priority_queue<Mark> open_;
  absl::flat_hash_map<Mark, Premise> needed_;
  std::uint32_t last_level_ = 0;
  std::size_t of_last_level_ = 0;  ///< in open_
};

}  // namespace plumb::paths
