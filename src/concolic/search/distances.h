#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "instrument/subject.h"

namespace plumb::concolic {

using instrument::EdgeId;
using instrument::SiteId;
using instrument::Subject;

/// How far the code is from edges that no run took: for each block of the program, the fewest steps to a block that
/// ends in a counted edge that is not covered, along branches, into calls and out of returns. A block is two nodes, its
/// head and its tail behind all calls. A call through a pointer may lead to each function whose address the program
/// takes, a return to behind each call of its function: an underestimate, as befits a guide. Computed in one backward
/// sweep when it is asked for after coverage changed.
class Distances {
 public:
  static constexpr std::uint32_t kFar = 1U << 30;

  explicit Distances(const Subject& subject);

  /// By EdgeId; must stay as long as distances are asked for.
  void set_covered(std::span<const std::uint8_t> covered) {
    covered_ = covered;
    is_stale_ = true;
  }

  std::uint32_t of_block(program::FunctionId function, program::BlockId block);
  /// 0 for a counted edge that is not covered; otherwise one more than the nearest block it leads to.
  std::uint32_t of_edge(EdgeId edge);

 private:
  using Node = std::uint32_t;

  Node head(program::FunctionId function, program::BlockId block) const { return first_node_[function] + 2 * block; }
  Node tail(program::FunctionId function, program::BlockId block) const { return head(function, block) + 1; }
  bool wants(SiteId site) const;
  void add_function(program::FunctionId function, std::span<const program::FunctionId> addressed);
  void add_call(Node from, Node behind, program::FunctionId callee);
  void update();

  const Subject& subject_;
  std::vector<Node> first_node_;                 ///< by function
  std::vector<std::vector<Node>> predecessors_;  ///< by node
  std::vector<std::vector<Node>> tails_of_site_;
  std::vector<bool> is_counted_;            ///< by EdgeId
  std::vector<std::vector<Node>> targets_;  ///< by EdgeId: blocks it leads to
  std::vector<std::uint32_t> distance_;
  std::span<const std::uint8_t> covered_;
  bool is_stale_ = true;
};

}  // namespace plumb::concolic
