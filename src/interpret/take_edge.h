#pragma once

#include "interpret/code.h"
#include "interpret/machine.h"

namespace plumb::interpret {

/// Gives the target's block arguments their values and goes there.
[[gnu::always_inline]] inline Decoded* take_edge(const Decoded* at, const EdgeCode& edge, std::uint64_t* slots,
                                                 Machine& machine) {
  for (std::uint32_t i = 0; i < edge.move_count; ++i) slots[edge.moves[i].to] = slots[edge.moves[i].from];
  for (std::uint32_t i = 0; i < edge.set_count; ++i) slots[edge.sets[i].to] = edge.sets[i].value;
  machine.enter_block(at, edge.instructions);
  return edge.target;
}

}  // namespace plumb::interpret
