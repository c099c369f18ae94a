#include "program/analysis/components.h"

#include <algorithm>

namespace plumb::program {

Components::Components(const Cfg& graph) : component_of_(graph.size(), kNone) {
  struct Frame {
    std::uint32_t vertex;
    std::uint32_t next;  ///< successor to visit
  };
  std::vector<std::uint32_t> number(graph.size(), 0), low(graph.size(), 0);
  std::vector<std::uint32_t> open;
  std::vector<Frame> stack;
  std::uint32_t visited = 0;
  const auto enter = [&](std::uint32_t v) {
    number[v] = low[v] = ++visited;
    open.push_back(v);
    stack.push_back({v, 0});
  };
  const auto leave = [&](std::uint32_t v) {
    stack.pop_back();
    if (!stack.empty()) low[stack.back().vertex] = std::min(low[stack.back().vertex], low[v]);
    if (low[v] != number[v]) return;
    std::uint32_t member = kNone;
    do {
      member = open.back();
      open.pop_back();
      component_of_[member] = size();
      members_.push_back(member);
    } while (member != v);
    start_.push_back(static_cast<std::uint32_t>(members_.size()));
  };
  for (std::uint32_t root = 0; root < graph.size(); ++root) {
    if (number[root] == 0) enter(root);
    while (!stack.empty()) {
      const std::uint32_t v = stack.back().vertex;
      if (stack.back().next == graph.successors(v).size()) {
        leave(v);
        continue;
      }
      const std::uint32_t target = graph.successors(v)[stack.back().next++];
      if (number[target] == 0)
        enter(target);
      else if (component_of_[target] == kNone)
        low[v] = std::min(low[v], number[target]);
    }
  }
}

}  // namespace plumb::program
