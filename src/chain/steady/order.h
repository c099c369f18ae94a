#pragma once

#include <cstdint>
#include <vector>

#include "chain/steady/inflow.h"

namespace plumb::chain {

/// How often each variable changes, from a sample of the transitions of a chain. Needs the chain's states.
class Activity {
 public:
  explicit Activity(const Chain& chain);

  /// Counts the transitions of some of the states.
  template <typename Index>
  void add_row(StateId s, std::uint32_t count, const StateId* targets, const Index* index) {
    if (s % stride_ == 0)
      for (std::uint32_t t = 0; t < count; ++t) add(s, targets[t], weights_[index[t]]);
  }
  /// The variables, the one that changes most often last.
  std::vector<std::size_t> variables() const;

 private:
  void add(StateId from, StateId to, double weight);

  const Chain& chain_;
  const double* weights_;
  std::uint64_t stride_;
  std::vector<double> changes_;
};

/// Sorts the states of a part by the values of the variables, the last one varying fastest, and sets their places. What
/// transitions mostly do then is to lead to a state close by, and the sources of states that follow each other follow
/// each other: a sweep reads a few streams rather than all over the memory.
void sort_by_values(const Chain& chain, const std::vector<std::size_t>& variables, Part& part);

}  // namespace plumb::chain
