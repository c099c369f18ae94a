#include "program/analysis/value_flow.h"

#include <algorithm>

namespace plumb::program {

ValueFlow::ValueFlow(const Program& program, const CallGraph& calls) {
  add_nodes(program, calls);
  for (FunctionId f = 0; f < program.functions.size(); ++f)
    for (const Instruction& instruction : program.functions[f].instructions) add_instruction(program, f, instruction);
}

void ValueFlow::add_nodes(const Program& program, const CallGraph& calls) {
  const auto take = [this](std::size_t count) {
    const Node first = size_;
    size_ += static_cast<std::uint32_t>(count);
    return first;
  };
  for (const Function& function : program.functions) {
    first_value_.push_back(take(function.values.size()));
    first_result_.push_back(take(function.result_widths.size()));
  }
  first_variadic_ = take(program.functions.size());
  thread_result_ = take(1);
  for (FunctionId f = 0; f < program.functions.size(); ++f)
    for (const std::uint32_t count : calls.indirect_calls(f))
      if (!hubs_.contains(count)) add_hub(program, calls, count);
}

void ValueFlow::add_hub(const Program& program, const CallGraph& calls, std::uint32_t argument_count) {
  Hub& hub = hubs_[argument_count];
  for (const FunctionId target : calls.indirect_targets(argument_count))
    hub.result_count =
        std::max(hub.result_count, static_cast<std::uint32_t>(program.functions[target].result_widths.size()));
  hub.first_argument = size_;
  hub.first_result = size_ + argument_count;
  size_ += argument_count + hub.result_count;
  for (const FunctionId target : calls.indirect_targets(argument_count)) {
    const Function& function = program.functions[target];
    for (std::uint32_t i = 0; i < argument_count; ++i)
      copies_.emplace_back(hub.first_argument + i, receiver(function, target, i));
    for (std::uint32_t i = 0; i < function.result_widths.size(); ++i)
      copies_.emplace_back(result(target, i), hub.first_result + i);
  }
}

void ValueFlow::add_instruction(const Program& program, FunctionId f, const Instruction& instruction) {
  const Function& function = program.functions[f];
  const std::span<const ValueId> operands = function.operands_of(instruction);
  switch (instruction.kind) {
    case Kind::Call:
      add_call(program, f, instruction);
      break;
    case Kind::CallIndirect:
      add_indirect_call(program, f, instruction);
      break;
    case Kind::Intrinsic:
      if (instruction.intrinsic() == Intrinsic::ThreadCreate) {
        const Hub& hub = hubs_.at(1);
        add_copy(function, f, operands[3], hub.first_argument);
        if (hub.result_count > 0) copies_.emplace_back(hub.first_result, thread_result_);
      }
      if (instruction.intrinsic() == Intrinsic::ThreadExit) add_copy(function, f, operands[0], thread_result_);
      break;
    case Kind::Return:
      for (std::uint32_t i = 0; i < operands.size(); ++i) add_copy(function, f, operands[i], result(f, i));
      break;
    default:
      add_edges(function, f, instruction);
  }
}

void ValueFlow::add_call(const Program& program, FunctionId f, const Instruction& call) {
  const FunctionId callee = call.parameter;
  const Function& function = program.functions[callee];
  const std::span<const ValueId> operands = program.functions[f].operands_of(call);
  for (std::uint32_t i = 0; i < operands.size(); ++i)
    add_copy(program.functions[f], f, operands[i], receiver(function, callee, i));
  const auto results = std::min(call.result_count, static_cast<std::uint32_t>(function.result_widths.size()));
  for (std::uint32_t i = 0; i < results; ++i) copies_.emplace_back(result(callee, i), value(f, call.first_result + i));
}

void ValueFlow::add_indirect_call(const Program& program, FunctionId f, const Instruction& call) {
  const Hub& hub = hubs_.at(call.operand_count - 1);
  const std::span<const ValueId> arguments = program.functions[f].operands_of(call).subspan(1);
  for (std::uint32_t i = 0; i < arguments.size(); ++i)
    add_copy(program.functions[f], f, arguments[i], hub.first_argument + i);
  for (std::uint32_t i = 0; i < std::min(call.result_count, hub.result_count); ++i)
    copies_.emplace_back(hub.first_result + i, value(f, call.first_result + i));
}

void ValueFlow::add_edges(const Function& function, FunctionId f, const Instruction& terminator) {
  for (const Edge& edge : function.edges_of(terminator)) {
    const std::span<const ValueId> given = function.arguments_of(edge);
    const std::vector<ValueId>& taken = function.blocks[edge.target].arguments;
    for (std::size_t i = 0; i < given.size(); ++i) add_copy(function, f, given[i], value(f, taken[i]));
  }
}

}  // namespace plumb::program
