#pragma once

#include <string>

#include "program/analysis/cfg.h"
#include "program/analysis/dominators.h"
#include "program/function_builder.h"
#include "random_cfg.h"

namespace plumb::program {

/// A function over a random graph, its entry in front: block b of the graph is block b + 1. Every value is used where
/// its definition dominates. `fill(builder, available)` adds the instructions of a block, given what it may use, and
/// appends what it defines; all values have width 64.
template <typename Fill>
Function random_function(std::mt19937& random, std::string name, const Cfg& cfg, std::uint32_t parameters, Fill fill) {
  FunctionBuilder builder(std::move(name));
  builder.add_result(64);
  std::vector<std::vector<ValueId>> available(cfg.size() + 1);
  for (std::uint32_t i = 0; i < parameters; ++i) available[0].push_back(builder.add_parameter(64));
  available[0].push_back(builder.constant(64, 5));
  std::vector<std::vector<ValueId>> arguments(cfg.size() + 1);
  for (BlockId b = 0; b <= cfg.size(); ++b) {
    builder.add_block();
    for (std::uint32_t i = b == 0 ? 2 : pick(random, 3); i < 2; ++i)
      arguments[b].push_back(builder.add_block_argument(b, 64));
  }
  const auto any = [&](BlockId b) {
    return available[b][pick(random, static_cast<std::uint32_t>(available[b].size()))];
  };
  const auto target = [&](BlockId from, BlockId to) {
    FunctionBuilder::Target made{to, {}};
    for (std::size_t i = 0; i < arguments[to].size(); ++i) made.arguments.push_back(any(from));
    return made;
  };
  builder.select(0);
  fill(builder, available[0]);
  builder.jump(target(0, 1));
  const DominatorTree tree = DominatorTree::dominators(cfg);
  std::vector<BlockId> order(tree.preorder().begin(), tree.preorder().end());
  for (BlockId b = 0; b < cfg.size(); ++b)
    if (!tree.is_reachable(b)) order.push_back(b);
  for (const BlockId c : order) {
    const BlockId b = c + 1;
    available[b] = tree.immediate(c) == kNone ? available[0] : available[tree.immediate(c) + 1];
    available[b].insert(available[b].end(), arguments[b].begin(), arguments[b].end());
    builder.select(b);
    fill(builder, available[b]);
    const std::span<const BlockId> successors = cfg.successors(c);
    if (successors.empty()) {
      const ValueId result = any(b);
      builder.return_values({&result, 1});
    } else if (successors.size() == 1) {
      builder.jump(target(b, successors[0] + 1));
    } else if (successors.size() == 2) {
      const ValueId condition = builder.op(term::Op::Ult, {any(b), any(b)});
      builder.branch(condition, target(b, successors[0] + 1), target(b, successors[1] + 1));
    } else {
      std::vector<ValueId> cases;
      std::vector<FunctionBuilder::Target> targets;
      for (std::size_t i = 1; i < successors.size(); ++i) {
        cases.push_back(builder.constant(64, i));
        targets.push_back(target(b, successors[i] + 1));
      }
      builder.switch_on(any(b), cases, targets, target(b, successors[0] + 1));
    }
  }
  return builder.finish();
}

}  // namespace plumb::program
