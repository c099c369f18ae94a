#pragma once

#include <span>
#include <vector>

#include "program/analysis/cfg.h"

namespace plumb::program {

/// The strongly connected components of a whole graph, unreachable vertices included, in linear time (Tarjan,
/// "Depth-first search and linear graph algorithms", 1972; with a stack in place of recursion).
class Components {
 public:
  explicit Components(const Cfg& graph);

  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(start_.size()) - 1; }
  std::uint32_t component_of(std::uint32_t vertex) const { return component_of_[vertex]; }
  /// An edge between different components goes from the greater number to the smaller one.
  std::span<const std::uint32_t> members(std::uint32_t component) const {
    return {members_.data() + start_[component], members_.data() + start_[component + 1]};
  }

 private:
  std::vector<std::uint32_t> component_of_;
  std::vector<std::uint32_t> start_{0};
  std::vector<std::uint32_t> members_;
};

}  // namespace plumb::program
