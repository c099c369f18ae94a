// Jumps back into a call that has not returned. In SSA form every value has a slot of its own, so the frame of the
// setjmp still has all that was computed before it; what the program changed since in variables that are not volatile
// is indeterminate by the C standard, and here as it was at the setjmp.

#include "interpret/jumps.h"

#include "interpret/machine.h"

namespace plumb::interpret {

using program::Block;

Decoded* set_jump(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t buffer = m.argument(at, 0);
  m.store_word(at, buffer, 0, 4);  // the buffer has to be there
  Frame& frame = m.frame();
  if (frame.jump_mark == 0) frame.jump_mark = ++m.last_jump_mark;
  m.jump_points[buffer] = {m.thread->index, m.thread->frames.size() - 1, frame.jump_mark, at};
  m.give(at, 0);
  return at + 1;
}

Decoded* long_jump(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t buffer = m.argument(at, 0);
  const auto value = static_cast<std::uint32_t>(m.argument(at, 1));
  m.load_word(at, buffer, 4);
  const auto it = m.jump_points.find(buffer);
  if (it == m.jump_points.end()) m.fault(at, FaultKind::InvalidCall, "longjmp with a buffer that setjmp never filled");
  const JumpPoint point = it->second;
  Thread& t = *m.thread;
  if (point.thread != t.index) m.fault(at, FaultKind::InvalidCall, "longjmp into another thread");
  if (point.frame >= t.frames.size() || t.frames[point.frame].jump_mark != point.mark)
    m.fault(at, FaultKind::UseAfterReturn, "longjmp into a call that has returned");
  for (std::size_t i = point.frame + 1; i < t.frames.size(); ++i)
    if (t.frames[i].bottom != Bottom::No)
      m.unsupported(at, "longjmp out of a constructor, destructor or exit function");

  // The rest of the blocks that are left is not executed, the rest of the one that is come back to once more.
  m.settle_thread(t, point.frame, at, true);
  if (point.frame + 1 < t.frames.size()) m.kill_stack_objects(t, t.frames[point.frame + 1].first_object, m.here(at));
  t.frames.resize(point.frame + 1);
  m.activate();
  const Function& function = *m.frame().code->function;
  const Block& block = function.blocks[m.frame().code->block_of[point.at->source]];
  m.instructions += block.first_instruction + block.instruction_count - point.at->source - 1;
  m.give(point.at, value == 0 ? 1 : value);
  return point.at + 1;
}

}  // namespace plumb::interpret
