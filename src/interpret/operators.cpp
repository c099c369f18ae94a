#include "semantics/operators.h"

#include <array>
#include <utility>

#include "interpret/handlers.h"
#include "interpret/machine.h"
#include "interpret/take_edge.h"
#include "term/narrow.h"

namespace plumb::interpret {

using program::evaluate;
using semantics::is_division;
using semantics::is_signed_division;

using term::evaluate_narrow;
using term::Op;

namespace {

constexpr bool gives_bit(Op op) { return op >= Op::Eq && op <= Op::SdivOverflow; }

/// On canonical words these mean the same at every width, so one handler serves all.
constexpr bool is_width_free(Op op) {
  return op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Eq || op == Op::Ult || op == Op::Ule;
}

[[gnu::noinline]] void fault_division(const Decoded* at, Machine& m, bool by_zero) {
  if (by_zero) m.fault(at, FaultKind::DivisionByZero, "division by zero");
  m.fault(at, FaultKind::SignedOverflow, "the least number is divided by -1: the quotient does not fit");
}

[[gnu::always_inline]] inline void check_division(const Decoded* at, Machine& m, Op op, std::uint32_t width,
                                                  std::uint64_t a, std::uint64_t b) {
  if (!is_division(op)) return;
  if (b == 0) [[unlikely]]
    fault_division(at, m, true);
  if (is_signed_division(op) && evaluate_narrow(Op::SdivOverflow, 1, width, 0, a, b) != 0) [[unlikely]]
    fault_division(at, m, false);
}

template <Form form>
[[gnu::always_inline]] inline std::pair<std::uint64_t, std::uint64_t> operands(const Decoded* at,
                                                                               const std::uint64_t* slots) {
  if constexpr (form == Form::SlotSlot) return {slots[at->a], slots[at->b]};
  if constexpr (form == Form::SlotImmediate) return {slots[at->a], at->immediate};
  return {at->immediate, slots[at->b]};
}

template <Op op, std::uint32_t width, Form form>
Decoded* binary(Decoded* at, std::uint64_t* slots, [[maybe_unused]] Machine& m) {
  const auto [a, b] = operands<form>(at, slots);
  check_division(at, m, op, width, a, b);
  slots[at->result] = evaluate_narrow(op, gives_bit(op) ? 1 : width, width, 0, a, b);
  return at + 1;
}

template <Op op, std::uint32_t width, Form form>
Decoded* compare_branch(Decoded* at, std::uint64_t* slots, Machine& m) {
  const auto [a, b] = operands<form>(at, slots);
  const std::uint64_t holds = evaluate_narrow(op, 1, width, 0, a, b);
  slots[at->result] = holds;
  return take_edge(at, at->edges[1 - holds], slots, m);
}

template <Op op, Form form>
Handler binary_of_width(std::uint32_t width) {
  if (is_width_free(op)) return binary<op, 64, form>;
  switch (width) {
    case 8:
      return binary<op, 8, form>;
    case 16:
      return binary<op, 16, form>;
    case 32:
      return binary<op, 32, form>;
    case 64:
      return binary<op, 64, form>;
    default:
      return nullptr;
  }
}

template <Op op, Form form>
Handler compare_branch_of_width(std::uint32_t width) {
  if (is_width_free(op)) return compare_branch<op, 64, form>;
  switch (width) {
    case 8:
      return compare_branch<op, 8, form>;
    case 16:
      return compare_branch<op, 16, form>;
    case 32:
      return compare_branch<op, 32, form>;
    case 64:
      return compare_branch<op, 64, form>;
    default:
      return nullptr;
  }
}

template <Op op>
Handler binary_of_form(std::uint32_t width, Form form) {
  switch (form) {
    case Form::SlotSlot:
      return binary_of_width<op, Form::SlotSlot>(width);
    case Form::SlotImmediate:
      return binary_of_width<op, Form::SlotImmediate>(width);
    default:
      return binary_of_width<op, Form::ImmediateSlot>(width);
  }
}

template <Op op>
Handler compare_branch_of_form(std::uint32_t width, Form form) {
  switch (form) {
    case Form::SlotSlot:
      return compare_branch_of_width<op, Form::SlotSlot>(width);
    case Form::SlotImmediate:
      return compare_branch_of_width<op, Form::SlotImmediate>(width);
    default:
      return compare_branch_of_width<op, Form::ImmediateSlot>(width);
  }
}

template <Op... ops>
Handler find_binary(Op op, std::uint32_t width, Form form) {
  Handler found = nullptr;
  ((op == ops ? found = binary_of_form<ops>(width, form) : nullptr), ...);
  return found;
}

template <Op... ops>
Handler find_compare_branch(Op op, std::uint32_t width, Form form) {
  Handler found = nullptr;
  ((op == ops ? found = compare_branch_of_form<ops>(width, form) : nullptr), ...);
  return found;
}

}  // namespace

Handler binary_handler(Op op, std::uint32_t operand_width, Form form) {
  if (operand_width > 64) return nullptr;
  return find_binary<Op::And, Op::Or, Op::Xor, Op::Add, Op::Sub, Op::Mul, Op::Udiv, Op::Urem, Op::Sdiv, Op::Srem,
                     Op::Shl, Op::Lshr, Op::Ashr, Op::RotateLeft, Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle>(
      op, operand_width, form);
}

Handler compare_branch_handler(Op op, std::uint32_t operand_width, Form form) {
  if (operand_width > 64) return nullptr;
  return find_compare_branch<Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle>(op, operand_width, form);
}

Decoded* copy_word(Decoded* at, std::uint64_t* slots, Machine&) {
  slots[at->result] = slots[at->a];
  return at + 1;
}

Decoded* set_word(Decoded* at, std::uint64_t* slots, Machine&) {
  slots[at->result] = at->immediate;
  return at + 1;
}

Decoded* cut_word(Decoded* at, std::uint64_t* slots, Machine&) {
  slots[at->result] = slots[at->a] >> at->extra & at->immediate;
  return at + 1;
}

Decoded* extend_sign(Decoded* at, std::uint64_t* slots, Machine&) {
  slots[at->result] = static_cast<std::uint64_t>(term::narrow_signed(at->extra, slots[at->a])) & at->immediate;
  return at + 1;
}

Decoded* select_word(Decoded* at, std::uint64_t* slots, Machine&) {
  slots[at->result] = slots[at->a] != 0 ? slots[at->b] : slots[at->c];
  return at + 1;
}

Decoded* narrow_operator(Decoded* at, std::uint64_t* slots, Machine& m) {
  const Instruction& source = m.source(at);
  const Op op = source.op();
  const std::uint32_t operand_width = m.width_of(m.operand(at, 0));
  const std::uint64_t a = m.word(at->a);
  const std::uint64_t b = m.word(at->b);
  check_division(at, m, op, operand_width, a, b);
  slots[at->result] = evaluate_narrow(op, at->width, operand_width, source.parameter, a, b, m.word(at->c));
  return at + 1;
}

Decoded* wide_operator(Decoded* at, std::uint64_t*, Machine& m) {
  const Instruction& source = m.source(at);
  const Op op = source.op();
  std::array<BitVector, 3> values;
  std::array<const BitVector*, 3> operands{};
  for (std::uint32_t i = 0; i < source.operand_count; ++i) {
    values[i] = m.value(m.operand(at, i));
    operands[i] = &values[i];
  }
  for (const auto& fault : semantics::operator_faults(op, 0, false, m.platform, program::CheckSet::none()))
    if (happens(fault, std::span(operands).first(source.operand_count)))
      fault_division(at, m, fault.kind == FaultKind::DivisionByZero);
  m.set_value(at->result, evaluate(op, std::span(operands).first(source.operand_count), at->width, source.parameter));
  return at + 1;
}

}  // namespace plumb::interpret
