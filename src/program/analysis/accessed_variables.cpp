#include "program/analysis/accessed_variables.h"

namespace plumb::program {

AccessedVariables accessed_variables(const Function& function, const Uses& uses, const Governor& governor) {
  AccessedVariables accessed;
  accessed.values = live_values(function, uses, governor.region);
  for (const BlockId b : governor.region) {
    const Block& block = function.blocks[b];
    for (std::uint32_t i = 0; i < block.instruction_count; ++i) {
      const InstructionId id = block.first_instruction + i;
      const Kind kind = function.instructions[id].kind;
      if (kind == Kind::Load || kind == Kind::CopyMemory) accessed.reads.push_back(id);
      if (kind == Kind::Store || kind == Kind::CopyMemory || kind == Kind::FillMemory) accessed.writes.push_back(id);
    }
  }
  return accessed;
}

}  // namespace plumb::program
