#include "check/has_threads.h"

#include "semantics/goals.h"

namespace plumb::check {

using program::Program;

bool has_threads(const Program& program) {
  const std::vector<bool> is_reachable = semantics::reachable_functions(program);
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    if (!is_reachable[f]) continue;
    for (const program::Instruction& i : program.functions[f].instructions)
      if (i.kind == program::Kind::Intrinsic && i.intrinsic() == program::Intrinsic::ThreadCreate) return true;
  }
  return false;
}

}  // namespace plumb::check
