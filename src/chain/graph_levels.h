#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "chain/chain.h"

namespace plumb::chain {

/// Strongly connected components of a part of a chain, by levels: a component leads to itself, to lower levels and out
/// of the part, so those of one level have nothing to do with each other. Levels count from zero. Four bytes a state.
class ComponentLevels {
 public:
  struct Group {
    std::uint64_t first;  ///< among the members
    std::uint32_t size;
    std::uint32_t level;
  };

  std::uint32_t levels() const noexcept { return levels_; }
  std::uint64_t components() const noexcept { return singles_.size() + groups_.size(); }
  /// The components of one state, with or without a loop, in ascending order.
  std::span<const StateId> singles(std::uint32_t level) const noexcept {
    return std::span(singles_).subspan(single_starts_[level], single_starts_[level + 1] - single_starts_[level]);
  }
  std::span<const StateId> singles() const noexcept { return singles_; }
  /// The other components, from low levels to high ones.
  std::span<const Group> groups() const noexcept { return groups_; }
  /// In ascending order.
  std::span<const StateId> members(const Group& group) const noexcept {
    return std::span(members_).subspan(group.first, group.size);
  }
  /// Calls f with the states of each component, those of low levels first.
  template <typename F>
  void for_each(F&& f) const {
    auto group = groups_.begin();
    for (std::uint32_t level = 0; level < levels_; ++level) {
      for (const StateId& s : singles(level)) f(std::span<const StateId>(&s, 1));
      for (; group != groups_.end() && group->level == level; ++group) f(members(*group));
    }
  }
  std::uint64_t bytes() const noexcept {
    return (singles_.size() + single_starts_.size() + members_.size()) * sizeof(StateId) +
           groups_.size() * sizeof(Group);
  }

 private:
  friend class LevelSearch;

  std::uint32_t levels_ = 0;
  std::vector<StateId> singles_;
  std::vector<std::uint32_t> single_starts_;
  std::vector<StateId> members_;
  std::vector<Group> groups_;
};

/// Of the states of `within`, by the transitions of `rows` (null: all). Needs eight bytes a state while it works, and
/// 20 for each state in or above a component of several states.
ComponentLevels component_levels(const Chain& chain, const StateSet& within, const StateSet* rows,
                                 const Budget& budget);

}  // namespace plumb::chain
