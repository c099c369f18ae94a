#include "concolic/trace/operator_check.h"

namespace plumb::concolic {

using term::Op;

bool is_expression_operator(std::uint32_t code) {
  if (code >= static_cast<std::uint32_t>(term::kOpCount)) return false;
  switch (static_cast<Op>(code)) {
    case Op::Constant:
    case Op::Variable:
    case Op::Select:
    case Op::Store:
    case Op::ConstantArray:
      return false;
    default:
      return true;
  }
}

bool fits(Op op, std::span<const std::uint32_t> operands, std::uint32_t width, std::uint32_t parameter) {
  if (width == 0 || width > 64) return false;
  const std::uint32_t first = operands.front();
  switch (op) {
    case Op::Concat:
      return first + operands[1] == width;
    case Op::Extract:
      return parameter < first && width <= first - parameter;
    case Op::ZeroExtend:
    case Op::SignExtend:
      return width >= first;
    case Op::Repeat:
      return width % first == 0;
    case Op::Ite:
      return first == 1 && operands[1] == width && operands[2] == width;
    default:
      break;
  }
  if (operands.size() == 2 && operands[1] != first) return false;
  return term::is_predicate(op) ? width == 1 : width == first;
}

}  // namespace plumb::concolic
