#include <algorithm>

#include "interpret/handlers.h"
#include "interpret/machine.h"
#include "interpret/take_edge.h"

namespace plumb::interpret {

using program::HaltReason;

Decoded* jump(Decoded* at, std::uint64_t* slots, Machine& m) { return take_edge(at, at->edges[0], slots, m); }

Decoded* branch(Decoded* at, std::uint64_t* slots, Machine& m) {
  return take_edge(at, at->edges[m.word(at->a) != 0 ? 0 : 1], slots, m);
}

Decoded* switch_narrow(Decoded* at, std::uint64_t* slots, Machine& m) {
  const SwitchTable& table = m.frame().code->switches[at->extra];
  const std::uint64_t value = m.word(at->a);
  std::uint32_t edge = 0;
  if (!table.dense.empty()) {
    const std::uint64_t i = value - table.first;
    if (i < table.dense.size()) edge = table.dense[i];
  } else {
    const auto it = std::lower_bound(table.cases.begin(), table.cases.end(), value);
    if (it != table.cases.end() && *it == value) edge = table.edges[static_cast<std::size_t>(it - table.cases.begin())];
  }
  return take_edge(at, at->edges[edge], slots, m);
}

Decoded* switch_wide(Decoded* at, std::uint64_t* slots, Machine& m) {
  const Instruction& source = m.source(at);
  const BitVector value = m.value(m.operand(at, 0));
  std::uint32_t edge = 0;
  for (std::uint32_t i = 1; i < source.operand_count && edge == 0; ++i)
    if (m.value(m.operand(at, i)) == value) edge = i;
  return take_edge(at, at->edges[edge], slots, m);
}

Decoded* halt(Decoded* at, std::uint64_t*, Machine& m) {
  const Instruction& source = m.source(at);
  const std::string message = source.parameter == kNone ? "" : m.program.messages[source.parameter];
  switch (source.halt_reason()) {
    case HaltReason::Unreachable:
      m.fault(at, FaultKind::Unreachable, message.empty() ? "code that the compiler took for unreachable" : message);
    case HaltReason::Trap:
      m.fault(at, FaultKind::Trap, message.empty() ? "a trap instruction" : message);
    case HaltReason::Unsupported:
      break;
  }
  m.unsupported(at, message);
}

}  // namespace plumb::interpret
