#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "system/control_graph.h"

namespace plumb::system {

/// Where control may go from a statement: its targets up to the first whose condition is constantly true, without those
/// whose condition is constantly false.
std::vector<ControlGraph::Target> live_targets(const ControlGraph& graph, ControlGraph::Label label);

/// The statements that control can come to, in the order of a depth-first search from the entry (reverse postorder).
struct ControlFlow {
  std::vector<ControlGraph::Label> order;
  std::vector<bool> is_reachable;  ///< by label
  std::vector<bool> is_loop_head;  ///< by label: a back edge goes there
};
ControlFlow control_flow(const ControlGraph& graph);

/// Where steps begin.
struct CutPoints {
  std::vector<ControlGraph::Label> labels;  ///< by value of the program counter; the entry is the first
  std::uint64_t end_value = 0;              ///< one more than the last of them
  /// The statements that control can come to; each stands behind all that lead to it within a step.
  std::vector<ControlGraph::Label> order;
  std::vector<std::uint32_t> ranks;  ///< by label: the position in `order`
  /// By label: the value of the program counter there; that of the end for a statement that does nothing but end.
  std::vector<std::optional<std::uint64_t>> values;
};
CutPoints cut_points(const ControlGraph& graph, const ControlFlow& flow, EncodingOptions::Steps steps);

}  // namespace plumb::system
