#include "program/analysis/unwinding_plan.h"

#include <algorithm>

namespace plumb::program {

UnwindingPlan::UnwindingPlan(const Function& function)
    : function_(&function), order_(Cfg(function)), liveness_(function, Uses(function)) {
  const auto is_call = [](const Instruction& i) { return i.kind == Kind::Call || i.kind == Kind::CallIndirect; };
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    const bool is_halt = function.terminator(b).kind == Kind::Halt;
    is_end_.push_back(b != 0 && is_halt && std::ranges::none_of(function.instructions_of(b), is_call));
  }
}

}  // namespace plumb::program
