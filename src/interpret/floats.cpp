#include <array>

#include "interpret/handlers.h"
#include "interpret/machine.h"
#include "program/float_host.h"

namespace plumb::interpret {

using program::evaluate;

namespace {

template <typename T>
T as(std::uint64_t bits) {
  if constexpr (sizeof(T) == 4) {
    return program::host::as_float(bits);
  } else {
    return program::host::as_double(bits);
  }
}

template <FloatOp op, typename T>
Decoded* arithmetic(Decoded* at, std::uint64_t* slots, Machine& m) {
  slots[at->result] = program::host::bits_of(program::host::arithmetic(op, as<T>(m.word(at->a)), as<T>(m.word(at->b))));
  return at + 1;
}

template <FloatOp op, typename T>
Decoded* compare(Decoded* at, std::uint64_t* slots, Machine& m) {
  slots[at->result] = program::host::compare(op, as<T>(m.word(at->a)), as<T>(m.word(at->b))) ? 1 : 0;
  return at + 1;
}

Decoded* narrow_float(Decoded* at, std::uint64_t* slots, Machine& m) {
  const FloatOp op = m.source(at).float_op();
  const std::uint32_t operand_width = m.width_of(m.operand(at, 0));
  slots[at->result] = program::host::evaluate_narrow(op, operand_width, at->width, m.word(at->a), m.word(at->b));
  return at + 1;
}

Decoded* any_float(Decoded* at, std::uint64_t*, Machine& m) {
  const Instruction& source = m.source(at);
  std::array<BitVector, 3> values;
  std::array<const BitVector*, 3> operands{};
  for (std::uint32_t i = 0; i < source.operand_count; ++i) {
    values[i] = m.value(m.operand(at, i));
    operands[i] = &values[i];
  }
  m.set_value(at->result, evaluate(source.float_op(), std::span(operands).first(source.operand_count), at->width));
  return at + 1;
}

template <typename T>
Handler specialised(FloatOp op) {
  switch (op) {
    case FloatOp::Add:
      return arithmetic<FloatOp::Add, T>;
    case FloatOp::Sub:
      return arithmetic<FloatOp::Sub, T>;
    case FloatOp::Mul:
      return arithmetic<FloatOp::Mul, T>;
    case FloatOp::Div:
      return arithmetic<FloatOp::Div, T>;
    case FloatOp::Equal:
      return compare<FloatOp::Equal, T>;
    case FloatOp::Less:
      return compare<FloatOp::Less, T>;
    case FloatOp::LessEqual:
      return compare<FloatOp::LessEqual, T>;
    default:
      return narrow_float;
  }
}

}  // namespace

Handler float_handler(FloatOp op, std::uint32_t operand_width, std::uint32_t width) {
  if (!program::host::is_narrow(op, operand_width, width)) return any_float;
  return operand_width == 32 ? specialised<float>(op) : specialised<double>(op);
}

}  // namespace plumb::interpret
