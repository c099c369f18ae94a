#include "program/function_builder.h"

#include <array>
#include <utility>

namespace plumb::program {

using term::Op;

namespace {

std::uint32_t natural_width(Op op, std::span<const std::uint32_t> operands) {
  if (term::is_predicate(op)) return 1;
  switch (op) {
    case Op::Ite:
      return operands[1];
    case Op::Concat:
      return operands[0] + operands[1];
    default:
      return operands[0];
  }
}

/// Never a fault, whatever the checks (semantics/operators.h).
bool is_harmless(Op op, std::uint16_t flags) {
  return !(op >= Op::Udiv && op <= Op::Smod) && (flags & (kNoSignedWrap | kSourceShift)) == 0;
}

}  // namespace

FunctionBuilder::FunctionBuilder(std::string name) { function_.name = std::move(name); }

ValueId FunctionBuilder::add_value(Value value, std::string name) {
  function_.values.push_back(value);
  function_.value_names.push_back(std::move(name));
  return static_cast<ValueId>(function_.values.size() - 1);
}

ValueId FunctionBuilder::add_parameter(std::uint32_t width, bool is_pointer, std::string name) {
  Value value{.kind = ValueKind::Parameter, .is_pointer = is_pointer, .width = width};
  value.index = static_cast<std::uint32_t>(function_.parameters.size());
  function_.parameters.push_back(add_value(value, std::move(name)));
  return function_.parameters.back();
}

void FunctionBuilder::add_result(std::uint32_t width) { function_.result_widths.push_back(width); }

BlockId FunctionBuilder::add_block(std::string name) {
  pending_.push_back({std::move(name), {}, {}, {}});
  return static_cast<BlockId>(pending_.size() - 1);
}

ValueId FunctionBuilder::add_block_argument(BlockId block, std::uint32_t width, bool is_pointer, std::string name) {
  Value value{.kind = ValueKind::BlockArgument, .is_pointer = is_pointer, .width = width};
  value.index = static_cast<std::uint32_t>(pending_[block].arguments.size());
  value.block = block;
  pending_[block].arguments.push_back(add_value(value, std::move(name)));
  return pending_[block].arguments.back();
}

bool FunctionBuilder::is_terminated() const {
  const auto& instructions = pending_[current_].instructions;
  return !instructions.empty() && is_terminator(instructions.back().kind);
}

void FunctionBuilder::set_name(ValueId value, std::string name) { function_.value_names[value] = std::move(name); }

ValueId FunctionBuilder::constant(const BitVector& value) {
  std::string key(reinterpret_cast<const char*>(value.words().data()), value.word_count() * sizeof(std::uint64_t));
  const std::uint32_t width = value.width();
  key.append(reinterpret_cast<const char*>(&width), sizeof width);
  const auto [it, is_new] = constants_.try_emplace(std::move(key), 0);
  if (is_new) {
    Value made{.kind = ValueKind::Constant, .width = width};
    made.index = static_cast<std::uint32_t>(function_.constants.size());
    function_.constants.push_back(value);
    it->second = add_value(made);
  }
  return it->second;
}

ValueId FunctionBuilder::global_address(GlobalId global, std::uint32_t pointer_width, std::int64_t offset) {
  const auto [it, is_new] = addresses_.try_emplace({ValueKind::GlobalAddress, global, offset}, 0);
  if (is_new) {
    Value made{.kind = ValueKind::GlobalAddress, .is_pointer = true, .width = pointer_width};
    made.index = global;
    made.offset = offset;
    it->second = add_value(made);
  }
  return it->second;
}

ValueId FunctionBuilder::function_address(FunctionId function, std::uint32_t pointer_width) {
  const auto [it, is_new] = addresses_.try_emplace({ValueKind::FunctionAddress, function, 0}, 0);
  if (is_new) {
    Value made{.kind = ValueKind::FunctionAddress, .is_pointer = true, .width = pointer_width};
    made.index = function;
    it->second = add_value(made);
  }
  return it->second;
}

ValueId FunctionBuilder::undefined(std::uint32_t width) {
  return add_value({.kind = ValueKind::Undefined, .width = width});
}

Instruction& FunctionBuilder::append(Kind kind, std::uint8_t code, std::span<const ValueId> operands) {
  INVARIANT(current_ != kNone, "a block should be selected before an instruction is made");
  INVARIANT(!is_terminated(), "nothing should follow a terminator");
  Instruction made;
  made.kind = kind;
  made.code = code;
  made.location = location_;
  made.first_operand = static_cast<std::uint32_t>(function_.operands.size());
  made.operand_count = static_cast<std::uint32_t>(operands.size());
  function_.operands.insert(function_.operands.end(), operands.begin(), operands.end());
  pending_[current_].instructions.push_back(made);
  return pending_[current_].instructions.back();
}

ValueId FunctionBuilder::emit(Kind kind, std::uint8_t code, std::span<const ValueId> operands,
                              std::span<const std::uint32_t> result_widths, std::uint32_t parameter,
                              std::uint16_t flags) {
  Instruction& made = append(kind, code, operands);
  made.parameter = parameter;
  made.flags = flags;
  made.result_count = static_cast<std::uint32_t>(result_widths.size());
  for (const std::uint32_t w : result_widths) {
    const ValueId result = add_value({.kind = ValueKind::Result, .width = w, .block = current_});
    if (made.first_result == kNone) made.first_result = result;
  }
  return made.first_result;
}

ValueId FunctionBuilder::op(Op op, std::initializer_list<ValueId> operands, std::uint32_t width,
                            std::uint32_t parameter, std::uint16_t flags) {
  std::vector<std::uint32_t> widths;
  std::vector<const BitVector*> constants;
  for (const ValueId v : operands) {
    widths.push_back(this->width(v));
    if (function_.values[v].kind == ValueKind::Constant) constants.push_back(&function_.constant(v));
  }
  if (width == 0) width = natural_width(op, widths);
  // What may be a fault has to stay where it is.
  if (constants.size() == operands.size() && is_harmless(op, flags))
    return constant(term::evaluate(op, constants, width, parameter));
  return emit(Kind::Operator, static_cast<std::uint8_t>(op), std::span(operands.begin(), operands.size()),
              std::span(&width, 1), parameter, flags);
}

ValueId FunctionBuilder::float_op(FloatOp op, std::span<const ValueId> operands, std::uint32_t width) {
  return emit(Kind::Float, static_cast<std::uint8_t>(op), operands, std::span(&width, 1));
}

ValueId FunctionBuilder::load(ValueId address, std::uint32_t width, std::uint32_t alignment, std::uint16_t flags) {
  return emit(Kind::Load, 0, std::span(&address, 1), std::span(&width, 1), alignment, flags);
}

void FunctionBuilder::store(ValueId address, ValueId value, std::uint32_t alignment, std::uint16_t flags) {
  emit(Kind::Store, 0, std::array{address, value}, {}, alignment, flags);
}

ValueId FunctionBuilder::allocate(ValueId size, std::uint32_t alignment) {
  const std::uint32_t pointer_width = width(size);
  const ValueId made = emit(Kind::Allocate, 0, std::span(&size, 1), std::span(&pointer_width, 1), alignment);
  set_pointer(made);
  return made;
}

void FunctionBuilder::jump(Target target) {
  append(Kind::Jump, 0, {});
  pending_[current_].edges.push_back(std::move(target));
}

void FunctionBuilder::branch(ValueId condition, Target if_true, Target if_false, std::uint16_t flags) {
  append(Kind::Branch, 0, std::span(&condition, 1)).flags = flags;
  pending_[current_].edges.push_back(std::move(if_true));
  pending_[current_].edges.push_back(std::move(if_false));
}

void FunctionBuilder::switch_on(ValueId value, std::span<const ValueId> cases, std::span<const Target> targets,
                                Target otherwise) {
  INVARIANT(cases.size() == targets.size(), "each case should have its target");
  std::vector<ValueId> operands{value};
  operands.insert(operands.end(), cases.begin(), cases.end());
  append(Kind::Switch, 0, operands);
  auto& edges = pending_[current_].edges;
  edges.push_back(std::move(otherwise));
  edges.insert(edges.end(), targets.begin(), targets.end());
}

void FunctionBuilder::return_values(std::span<const ValueId> values) { append(Kind::Return, 0, values); }

void FunctionBuilder::halt(HaltReason reason, std::uint32_t message) {
  append(Kind::Halt, static_cast<std::uint8_t>(reason), {}).parameter = message;
}

void FunctionBuilder::set_edge_arguments(BlockId block, std::uint32_t edge, std::vector<ValueId> arguments) {
  pending_[block].edges[edge].arguments = std::move(arguments);
}

Function FunctionBuilder::finish() {
  Function& f = function_;
  for (BlockId b = 0; b < pending_.size(); ++b) {
    PendingBlock& from = pending_[b];
    INVARIANT(!from.instructions.empty() && is_terminator(from.instructions.back().kind),
              "every block should have a terminator");
    Instruction& last = from.instructions.back();
    last.first_edge = static_cast<std::uint32_t>(f.edges.size());
    last.edge_count = static_cast<std::uint32_t>(from.edges.size());
    for (const Target& target : from.edges) {
      f.edges.push_back({target.block, static_cast<std::uint32_t>(f.operands.size()),
                         static_cast<std::uint32_t>(target.arguments.size())});
      f.operands.insert(f.operands.end(), target.arguments.begin(), target.arguments.end());
    }
    const auto first = static_cast<InstructionId>(f.instructions.size());
    f.blocks.push_back(
        {first, static_cast<std::uint32_t>(from.instructions.size()), std::move(from.arguments), std::move(from.name)});
    for (const Instruction& instruction : from.instructions) {
      for (std::uint32_t r = 0; r < instruction.result_count; ++r)
        f.values[instruction.first_result + r].index = static_cast<std::uint32_t>(f.instructions.size());
      f.instructions.push_back(instruction);
    }
  }
  pending_.clear();
  constants_.clear();
  addresses_.clear();
  current_ = kNone;
  return std::exchange(function_, {});
}

}  // namespace plumb::program
