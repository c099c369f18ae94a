#include "explore/named_variables.h"

#include <algorithm>

namespace plumb::explore {

using program::Function;
using program::GlobalId;
using program::GlobalObject;
using program::Instruction;
using program::Kind;
using program::kNone;
using program::ValueKind;

NamedVariables::NamedVariables(const program::Program& program) {
  for (const GlobalObject& g : program.globals)
    is_one_.push_back(!g.is_constant && !g.is_external && !g.is_thread_local && g.size >= 1 && g.size <= 8 &&
                      g.relocations.empty());
  for (const GlobalObject& g : program.globals)
    for (const program::Relocation& r : g.relocations)
      if (!r.is_function) is_one_[r.index] = false;
  for (const Function& f : program.functions) {
    // Operands of instructions and of edges alike.
    std::vector<bool> is_address(f.operands.size(), false);
    for (const Instruction& i : f.instructions) {
      const GlobalId g = of(f, i);
      if (g == kNone) continue;
      is_address[i.first_operand] = true;
      const std::uint32_t width = f.values[i.kind == Kind::Load ? i.first_result : f.operands_of(i)[1]].width;
      if (width != program.globals[g].size * 8) is_one_[g] = false;
    }
    for (std::size_t o = 0; o < f.operands.size(); ++o) {
      const program::Value& v = f.values[f.operands[o]];
      if (v.kind == ValueKind::GlobalAddress && (!is_address[o] || v.offset != 0)) is_one_[v.index] = false;
    }
  }
}

bool NamedVariables::has_any() const {
  return std::ranges::any_of(is_one_, [](bool is) { return is; });
}

GlobalId NamedVariables::of(const Function& f, const Instruction& i) const {
  if (i.kind != Kind::Load && i.kind != Kind::Store) return kNone;
  const program::Value& address = f.values[f.operands_of(i)[0]];
  return address.kind == ValueKind::GlobalAddress && is_one_[address.index] ? address.index : kNone;
}

}  // namespace plumb::explore
