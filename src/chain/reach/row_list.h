#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chain/graph_search.h"

namespace plumb::chain {

/// Where the rows of some states are, in ascending order of the states and not necessarily next to each other; runs of
/// consecutive states take a step a row. For loops that go over the same states or have many of them at hand: 24 bytes
/// a state and eight a row. Threads have their own, in their own cache lines.
class alignas(64) RowList {
 public:
  void load(const Chain& chain, std::span<const StateId> states);
  /// Of the i-th state.
  StateRows rows(std::size_t i) const noexcept {
    const Place& place = places_[i];
    return {place.first, place.count, begins_.data() + place.begin};
  }
  std::uint64_t bytes() const noexcept {
    return places_.capacity() * sizeof(Place) + begins_.capacity() * sizeof(std::uint64_t);
  }

 private:
  struct Place {
    std::uint64_t first;
    std::uint32_t count;
    std::uint32_t begin;
  };
  std::vector<Place> places_;
  std::vector<std::uint64_t> begins_;
};

}  // namespace plumb::chain
