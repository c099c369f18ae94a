#include "explore/code.h"

#include <algorithm>
#include <set>

#include "semantics/visible.h"

namespace plumb::explore {
namespace {

std::vector<BlockId> blocks_of_instructions(const program::Function& function) {
  std::vector<BlockId> blocks(function.instructions.size(), kNone);
  for (BlockId b = 0; b < function.blocks.size(); ++b)
    for (std::uint32_t i = 0; i < function.blocks[b].instruction_count; ++i)
      blocks[function.blocks[b].first_instruction + i] = b;
  return blocks;
}

std::vector<bool> meetings(const program::Function& function) {
  std::vector<int> edges(function.blocks.size(), 0);
  for (BlockId b = 0; b < function.blocks.size(); ++b)
    for (const program::Edge& edge : function.successors(b)) ++edges[edge.target];
  std::vector<bool> is_meeting;
  for (const int count : edges) is_meeting.push_back(count > 1);
  return is_meeting;
}

std::vector<bool> loop_headers(const program::Function& function) {
  const program::LoopForest loops{program::Cfg(function)};
  std::vector<bool> is_header(function.blocks.size(), false);
  for (const program::Loop& loop : loops.all()) is_header[loop.header] = true;
  for (const auto& [source, target] : loops.irreducible_edges()) is_header[target] = true;
  return is_header;
}

}  // namespace

Code::Function::Function(const program::Function& the_function)
    : function(the_function),
      block_of(blocks_of_instructions(the_function)),
      is_loop_header(loop_headers(the_function)),
      has_variables_in_memory(semantics::has_variables_in_memory(the_function)),
      is_meeting(meetings(the_function)),
      uses_(the_function),
      liveness_(the_function, uses_),
      before_(the_function.instructions.size()),
      across_(the_function.instructions.size()) {}

const Code::Function& Code::of(FunctionId f) {
  if (!functions_[f]) functions_[f] = std::make_unique<Function>(program_.functions[f]);
  return *functions_[f];
}

std::span<const ValueId> Code::live_before(FunctionId f, InstructionId i) {
  of(f);
  Function& code = *functions_[f];
  if (code.before_[i]) return *code.before_[i];
  const program::Function& function = code.function;
  const program::Block& block = function.blocks[code.block_of[i]];
  const std::span<const ValueId> out = code.liveness_.live_out(code.block_of[i]);
  std::set<ValueId> live(out.begin(), out.end());
  const auto use = [&](ValueId v) {
    if (program::is_variable(function.values[v])) live.insert(v);
  };
  for (InstructionId at = block.first_instruction + block.instruction_count; at-- > i;) {
    const program::Instruction& instruction = function.instructions[at];
    for (std::uint32_t r = 0; r < instruction.result_count; ++r) live.erase(instruction.first_result + r);
    for (const ValueId v : function.operands_of(instruction)) use(v);
    for (const program::Edge& edge : function.edges_of(instruction))
      for (const ValueId v : function.arguments_of(edge)) use(v);
  }
  code.before_[i] = std::make_unique<std::vector<ValueId>>(live.begin(), live.end());
  return *code.before_[i];
}

std::span<const ValueId> Code::live_across(FunctionId f, InstructionId call) {
  const std::span<const ValueId> after = live_before(f, call + 1);
  Function& code = *functions_[f];
  if (code.across_[call]) return *code.across_[call];
  const program::Instruction& instruction = code.function.instructions[call];
  auto kept = std::make_unique<std::vector<ValueId>>();
  std::ranges::copy_if(after, std::back_inserter(*kept),
                       [&](ValueId v) { return v - instruction.first_result >= instruction.result_count; });
  code.across_[call] = std::move(kept);
  return *code.across_[call];
}

}  // namespace plumb::explore
