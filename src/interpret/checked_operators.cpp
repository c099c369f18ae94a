// Operators that Program::checks ask to look at: a fault is told of, and then the result is the one modulo 2^width.

#include <fmt/format.h>

#include <array>

#include "interpret/handlers.h"
#include "interpret/machine.h"
#include "semantics/operators.h"
#include "term/narrow.h"

namespace plumb::interpret {

using semantics::OperatorFault;
using semantics::OperatorFaults;

using term::Op;

namespace {

std::string signed_text(const BitVector& value) {
  if (value.width() <= 64) return std::to_string(value.to_int64());
  return value.sign() ? fmt::format("-{}", (-value).to_decimal()) : value.to_decimal();
}

[[gnu::noinline]] void tell_undefined(const Decoded* at, Machine& m) {
  const Instruction& source = m.source(at);
  const BitVector a = m.value(m.operand(at, 0));
  const std::string left = signed_text(a);
  const std::string right = source.operand_count > 1 ? signed_text(m.value(m.operand(at, 1))) : "";
  const bool is_negation = source.op() == Op::Neg || (source.op() == Op::Sub && a.is_zero());
  if (is_negation)
    return m.tell(
        at, FaultKind::SignedOverflow,
        fmt::format("-({}) does not fit into a signed number of {} bits", right.empty() ? left : right, a.width()));
  switch (source.op()) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul: {
      const char* sign = source.op() == Op::Add ? "+" : source.op() == Op::Sub ? "-" : "*";
      return m.tell(at, FaultKind::SignedOverflow,
                    fmt::format("{} {} {} does not fit into a signed number of {} bits", left, sign, right, a.width()));
    }
    default:
      m.tell(at, FaultKind::ShiftOutOfRange, fmt::format("a number of {} bits is shifted by {}", a.width(), right));
  }
}

/// Of an operator that has such a handler.
OperatorFaults checked_faults(const Instruction& source, Machine& m) {
  return semantics::operator_faults(source.op(), source.flags, false, m.platform, m.program.checks);
}

}  // namespace

Decoded* checked_narrow(Decoded* at, std::uint64_t* slots, Machine& m) {
  const Instruction& source = m.source(at);
  const std::uint32_t width = m.width_of(m.operand(at, 0));
  const std::uint64_t a = m.word(at->a);
  const std::uint64_t b = m.word(at->b);
  for (const OperatorFault& fault : checked_faults(source, m)) {
    const bool is_bad = fault.about == OperatorFault::About::Amount
                            ? b >= width
                            : term::evaluate_narrow(fault.predicate, 1, width, 0, a, b) != 0;
    if (is_bad) [[unlikely]]
      tell_undefined(at, m);
  }
  return narrow_operator(at, slots, m);
}

Decoded* checked_wide(Decoded* at, std::uint64_t* slots, Machine& m) {
  const Instruction& source = m.source(at);
  std::array<BitVector, 2> values;
  std::array<const BitVector*, 2> operands{};
  for (std::uint32_t i = 0; i < source.operand_count; ++i) {
    values[i] = m.value(m.operand(at, i));
    operands[i] = &values[i];
  }
  for (const OperatorFault& fault : checked_faults(source, m))
    if (happens(fault, std::span(operands).first(source.operand_count))) tell_undefined(at, m);
  return wide_operator(at, slots, m);
}

}  // namespace plumb::interpret
