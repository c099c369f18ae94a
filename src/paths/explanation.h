#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "paths/domains.h"
#include "paths/nogoods.h"

namespace plumb::paths {

/// A contradiction, as changes of domains that cannot be together; of each, some bounds that the domain has after it.
struct Contradiction {
  struct Premise {
    Domains::Mark mark = Domains::kRoot;
    Bounds bounds = kAllBounds;
    Range needed;  ///< the domain is within these bounds of it
  };
  std::vector<Premise> premises;
};

/// Which choices a contradiction needs. Going back over the trail, latest change first, each narrowing is asked for
/// what it needs: bounds without which its rule gives the same are left out, and a bound is led back to the change that
/// first gave it. That ends at bounds: of the last level at the first one that all of the contradiction comes through,
/// of earlier levels at the first that are met. So the search can jump back over choices that have nothing to do with
/// it, and what it learns is about the cells that contradict each other, however far back they were chosen. (Solvers
/// with lazily made literals for bounds learn in the same way: Ohrimenko, Stuckey and Codish, "Propagation via lazy
/// clause generation", 2009.)
class Explanation {
 public:
  Explanation(const Domains& domains, const Nogoods& nogoods) : domains_(domains), nogoods_(nogoods) {}

  struct Learnt {
    /// They cannot hold together. The first is the only one of the last level, the second of the level to go back to.
    std::vector<Literal> literals;
    std::vector<std::uint32_t> levels;  ///< at which they came to hold
    std::uint32_t level() const { return levels.size() < 2 ? 0 : levels[1]; }
  };
  /// Nothing: the contradiction needs no choice at all.
  std::optional<Learnt> of(const Contradiction& contradiction);

  /// The first levels decide what is assumed for one question: it is named as such where much follows from it.
  void set_assumptions(std::uint32_t levels) { assumptions_ = levels; }

  Contradiction of_conflict(const Domains::Change& conflict);
  /// Of changes with all bounds of their domains.
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
  /// A change and what it was made from.
  struct Step {
    const Domains::Change* change = nullptr;
    std::array<Version, 4> versions;
    std::array<Range, 4> ranges;  ///< what is taken of the versions
    Parts parts{};
  };

  void add(const Premise& premise);
  void collect(Learnt& learnt);
  void put(const Premise& premise, Learnt& learnt) const;
  /// What a change needs so that its domain is as is `needed`; a conflict, so that nothing is left.
  void expand(const Domains::Change& change, Mark mark, const std::optional<Premise>& needed, std::vector<Premise>& to);
  Step step(const Domains::Change& change, Mark mark) const;
  bool suffices(const Step& step, const std::optional<Premise>& needed) const;
  void lift(Step& step, const std::optional<Premise>& needed, std::vector<Premise>& to) const;
  Version before(Cell c, Mark mark) const;
  Premise first(const Version& version, Bounds bounds, const Range& needed) const;
  bool is_one_literal(const Premise& premise) const;
  void replace_assumed(Learnt& learnt) const;
  static void put_second(Learnt& learnt);

  const Domains& domains_;
  const Nogoods& nogoods_;
  std::priority_queue<Mark> open_;
  absl::flat_hash_map<Mark, Premise> needed_;
  std::uint32_t assumptions_ = 0;
  std::uint32_t last_level_ = 0;
  std::size_t of_last_level_ = 0;  ///< in open_
};

}  // namespace plumb::paths
