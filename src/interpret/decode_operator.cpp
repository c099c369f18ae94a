#include <algorithm>

#include "interpret/decode.h"
#include "semantics/operators.h"
#include "term/narrow.h"

namespace plumb::interpret {

using program::Edge;
using program::Kind;
using semantics::is_optional;
using semantics::operator_faults;

using term::Op;

std::optional<Decoder::Binary> Decoder::binary(const Instruction& source) const {
  const std::span<const ValueId> operands = function_.operands_of(source);
  const Operand a = operand(operands[0]);
  const Operand b = operand(operands[1]);
  if (is_constant(a) && is_constant(b)) return std::nullopt;
  if (is_constant(b)) return Binary{Form::SlotImmediate, a, 0, pool_word(b)};
  if (is_constant(a)) return Binary{Form::ImmediateSlot, 0, b, pool_word(a)};
  return Binary{Form::SlotSlot, a, b, 0};
}

/// The operators on one operand, and Ite, that have handlers of their own.
bool Decoder::add_special_operator(InstructionId id, const Instruction& source) {
  const std::span<const ValueId> operands = function_.operands_of(source);
  const std::uint32_t operand_width = function_.values[operands[0]].width;
  const std::uint32_t width = function_.values[source.first_result].width;
  for (const ValueId v : operands)
    if (is_constant(operand(v))) return false;
  Decoded d;
  d.a = operand(operands[0]);
  d.immediate = term::narrow_mask(width);
  switch (source.op()) {
    case Op::ZeroExtend:
      d.run = copy_word;
      break;
    case Op::SignExtend:
      d.run = extend_sign;
      d.extra = operand_width;
      break;
    case Op::Extract:
      d.run = cut_word;
      d.extra = source.parameter;
      break;
    case Op::Ite:
      d.run = select_word;
      d.b = operand(operands[1]);
      d.c = operand(operands[2]);
      break;
    default:
      return false;
  }
  d.result = operand(source.first_result);
  d.source = id;
  append(id, d.run) = d;
  return true;
}

void Decoder::add_operator(InstructionId id, const Instruction& source) {
  const std::span<const ValueId> operands = function_.operands_of(source);
  const std::uint32_t operand_width = function_.values[operands[0]].width;
  const std::uint32_t width = function_.values[source.first_result].width;
  bool is_narrow = width <= 64;
  for (const ValueId v : operands) is_narrow = is_narrow && function_.values[v].width <= 64;
  if (is_narrow && add_special_operator(id, source)) return;
  const bool is_checked =
      std::ranges::any_of(operator_faults(function_, source, {}, code_.program.checks), is_optional);
  Handler handler = is_narrow ? narrow_operator : wide_operator;
  if (is_checked) handler = is_narrow ? checked_narrow : checked_wide;
  std::optional<Binary> specialised;
  if (is_narrow && operands.size() == 2 && !is_checked) specialised = binary(source);
  if (specialised) {
    if (const Handler found = binary_handler(source.op(), operand_width, specialised->form)) {
      handler = found;
    } else {
      specialised.reset();
    }
  }
  Decoded& d = append(id, handler);
  d.result = operand(source.first_result);
  d.width = width;
  if (specialised) {
    d.a = specialised->a;
    d.b = specialised->b;
    d.immediate = specialised->immediate;
    return;
  }
  d.a = operand(operands[0]);
  d.b = operand(operands[operands.size() > 1 ? 1 : 0]);
  d.c = operand(operands[operands.size() > 2 ? 2 : 0]);
}

bool Decoder::add_compare_branch(InstructionId id, const Instruction& source) {
  const Instruction& next = function_.instructions[id + 1];
  if (source.kind != Kind::Operator || next.kind != Kind::Branch) return false;
  if (!term::is_predicate(source.op()) || term::arity(source.op()) != 2) return false;
  if (function_.operands_of(next)[0] != source.first_result) return false;
  for (const Edge& e : function_.edges_of(next))
    for (const ValueId v : function_.arguments_of(e))
      if (is_thread_local(v)) return false;
  const std::uint32_t operand_width = function_.values[function_.operands_of(source)[0]].width;
  const std::optional<Binary> operands = binary(source);
  if (!operands) return false;
  const Handler handler = compare_branch_handler(source.op(), operand_width, operands->form);
  if (handler == nullptr) return false;
  Decoded& d = append(id, handler);
  terminator_edges_.back() = next.first_edge;
  d.result = operand(source.first_result);
  d.a = operands->a;
  d.b = operands->b;
  d.immediate = operands->immediate;
  return true;
}

}  // namespace plumb::interpret
