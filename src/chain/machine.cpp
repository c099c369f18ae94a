#include "chain/machine.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "chain/exact/fraction_table.h"

namespace plumb::chain {

Machine::Handle Machine::compile(Expression e) {
  INVARIANT(e, "an expression to compile should be one");
  const auto [place, is_new] = compiled_.try_emplace(e.id, static_cast<Handle>(codes_.size()));
  if (!is_new) return place->second;
  known_.assign(1, {});
  next_temporary_ = 0;
  Code code;
  code.first = static_cast<std::uint32_t>(code_.size());
  code.result = emit(e);
  code.last = static_cast<std::uint32_t>(code_.size());
  temporaries_ = std::max(temporaries_, next_temporary_);
  codes_.push_back(code);
  return static_cast<Handle>(codes_.size() - 1);
}

std::uint32_t Machine::constant_slot(const ExpressionPool::Node& node) {
  Value value{};
  if (node.type == Type::Double && !fractions_)
    value.real = node.real;
  else
    value.integer = node.integer;
  const auto [place, is_new] = constant_slots_.try_emplace(std::bit_cast<std::uint64_t>(value.integer),
                                                           static_cast<std::uint32_t>(constants_.size()));
  if (is_new) constants_.push_back(value);
  return kConstant | place->second;
}

std::uint32_t Machine::emit(Expression e) {
  const ExpressionPool::Node& node = pool_[e];
  if (node.op == Op::Constant) return constant_slot(node);
  if (node.op == Op::Variable) return node.variable;
  for (const Known& known : known_)
    if (const auto found = known.find(e.id); found != known.end()) return found->second;
  std::uint32_t result = 0;
  if (node.op == Op::And || node.op == Op::Or || node.op == Op::IfThenElse) {
    result = emit_lazy(node);
  } else {
    const Type type = pool_.type(node.operands[0]);
    const std::uint32_t a = emit(node.operands[0]);
    const std::uint32_t b = node.operands[1] ? emit(node.operands[1]) : a;
    result = temporary();
    code_.push_back({opcode(node.op, type), node.op, type, result, a, b});
  }
  known_.back()[e.id] = result;
  return result;
}

void Machine::emit_branch(Expression e, std::uint32_t result) {
  known_.emplace_back();
  const std::uint32_t value = emit(e);
  known_.pop_back();
  code_.push_back({Opcode::Move, Op::Add, Type::Int, result, value, 0});
}

std::uint32_t Machine::emit_lazy(const ExpressionPool::Node& node) {
  const std::uint32_t condition = emit(node.operands[0]);
  const std::uint32_t result = temporary();
  const auto here = [&] { return static_cast<std::uint32_t>(code_.size()); };
  if (node.op != Op::IfThenElse) {
    code_.push_back({Opcode::Move, Op::Add, Type::Int, result, condition, 0});
    const std::uint32_t jump = here();
    code_.push_back(
        {node.op == Op::And ? Opcode::JumpIfFalse : Opcode::JumpIfTrue, node.op, Type::Bool, 0, condition, 0});
    emit_branch(node.operands[1], result);
    code_[jump].b = here();
    return result;
  }
  const std::uint32_t to_else = here();
  code_.push_back({Opcode::JumpIfFalse, node.op, Type::Bool, 0, condition, 0});
  emit_branch(node.operands[1], result);
  const std::uint32_t to_end = here();
  code_.push_back({Opcode::Jump, node.op, Type::Bool, 0, 0, 0});
  code_[to_else].b = here();
  emit_branch(node.operands[2], result);
  code_[to_end].b = here();
  return result;
}

Machine::Opcode Machine::opcode(Op op, Type operands) const {
  const bool real = operands == Type::Double;
  if (fractions_ && (real || op == Op::ToDouble)) return Opcode::Exact;
  switch (op) {
    case Op::Add:
      return real ? Opcode::AddReal : Opcode::AddInt;
    case Op::Subtract:
      return real ? Opcode::SubtractReal : Opcode::SubtractInt;
    case Op::Multiply:
      return real ? Opcode::MultiplyReal : Opcode::General;
    case Op::Less:
      return real ? Opcode::LessReal : Opcode::LessInt;
    case Op::LessEqual:
      return real ? Opcode::LessEqualReal : Opcode::LessEqualInt;
    case Op::Equal:
      return real ? Opcode::EqualReal : Opcode::Equal;
    case Op::Min:
      return real ? Opcode::General : Opcode::MinInt;
    case Op::Max:
      return real ? Opcode::General : Opcode::MaxInt;
    case Op::Not:
      return Opcode::Not;
    case Op::ToDouble:
      return Opcode::ToDouble;
    default:
      return Opcode::General;
  }
}

void Machine::finish() {
  const auto first_temporary = static_cast<std::uint32_t>(variables_);
  const std::uint32_t first_constant = first_temporary + temporaries_;
  const auto place = [&](std::uint32_t& slot) {
    if ((slot & kConstant) != 0) slot = first_constant + (slot & ~kConstant);
    if ((slot & kTemporary) != 0) slot = first_temporary + (slot & ~kTemporary);
  };
  for (Instruction& instruction : code_) {
    place(instruction.result);
    place(instruction.a);
    const bool jumps = instruction.opcode >= Opcode::JumpIfFalse;
    if (!jumps) place(instruction.b);
  }
  for (Code& code : codes_) place(code.result);
}

Machine::Frame Machine::frame() const {
  Frame frame;
  frame.slots.resize(variables_ + temporaries_, Value{});
  frame.slots.insert(frame.slots.end(), constants_.begin(), constants_.end());
  return frame;
}

void Machine::execute(const Code& code, Frame& frame) const noexcept {
  Value* slots = frame.slots.data();
  for (std::uint32_t i = code.first; i < code.last; ++i) {
    const Instruction& in = code_[i];
    const Value a = slots[in.a];
    switch (in.opcode) {
      case Opcode::AddInt:
        if (__builtin_add_overflow(a.integer, slots[in.b].integer, &slots[in.result].integer))
          frame.fault = Fault::Overflow;
        break;
      case Opcode::SubtractInt:
        if (__builtin_sub_overflow(a.integer, slots[in.b].integer, &slots[in.result].integer))
          frame.fault = Fault::Overflow;
        break;
      case Opcode::LessInt:
        slots[in.result].integer = a.integer < slots[in.b].integer;
        break;
      case Opcode::LessEqualInt:
        slots[in.result].integer = a.integer <= slots[in.b].integer;
        break;
      case Opcode::Equal:
        slots[in.result].integer = a.integer == slots[in.b].integer;
        break;
      case Opcode::Not:
        slots[in.result].integer = a.integer ^ 1;
        break;
      case Opcode::MinInt:
        slots[in.result].integer = std::min(a.integer, slots[in.b].integer);
        break;
      case Opcode::MaxInt:
        slots[in.result].integer = std::max(a.integer, slots[in.b].integer);
        break;
      case Opcode::AddReal:
        slots[in.result].real = a.real + slots[in.b].real;
        break;
      case Opcode::SubtractReal:
        slots[in.result].real = a.real - slots[in.b].real;
        break;
      case Opcode::MultiplyReal:
        slots[in.result].real = a.real * slots[in.b].real;
        break;
      case Opcode::LessReal:
        slots[in.result].integer = a.real < slots[in.b].real;
        break;
      case Opcode::LessEqualReal:
        slots[in.result].integer = a.real <= slots[in.b].real;
        break;
      case Opcode::EqualReal:
        slots[in.result].integer = a.real == slots[in.b].real;
        break;
      case Opcode::ToDouble:
        slots[in.result].real = static_cast<double>(a.integer);
        break;
      case Opcode::General:
        slots[in.result] = apply(in.op, in.type, a, slots[in.b], frame.fault);
        break;
      case Opcode::Exact:
        slots[in.result] = fractions_->apply(in.op, in.type, a, slots[in.b], frame.fault);
        break;
      case Opcode::Move:
        slots[in.result] = a;
        break;
      case Opcode::JumpIfFalse:
        if (a.integer == 0) i = in.b - 1;
        break;
      case Opcode::JumpIfTrue:
        if (a.integer != 0) i = in.b - 1;
        break;
      case Opcode::Jump:
        i = in.b - 1;
        break;
    }
  }
}

}  // namespace plumb::chain
