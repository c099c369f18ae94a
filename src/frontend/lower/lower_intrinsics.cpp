#include <fmt/format.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <array>

#include "frontend/lower/lower_constants.h"
#include "frontend/lower/lower_function.h"
#include "frontend/lower/lower_x86.h"
#include "frontend/lower/operators.h"

namespace plumb::frontend {

using program::HaltReason;
using program::Kind;
namespace {

using term::Op;

/// Its value is its first operand.
bool is_transparent(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::annotation:
    case llvm::Intrinsic::arithmetic_fence:
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::expect_with_probability:
    case llvm::Intrinsic::launder_invariant_group:
    case llvm::Intrinsic::preserve_static_offset:
    case llvm::Intrinsic::ptr_annotation:
    case llvm::Intrinsic::ssa_copy:
    case llvm::Intrinsic::strip_invariant_group:
    case llvm::Intrinsic::threadlocal_address:
      return true;
    default:
      return false;
  }
}

}  // namespace

void FunctionLowering::lower_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  if (lower_scope(call, id) || is_ignored_intrinsic(id)) return;
  if (is_transparent(id)) return define(call, parts(*call.getArgOperand(0)));
  if (lower_memory_intrinsic(call, id) || lower_plain_intrinsic(call, id) || lower_stack_intrinsic(call, id) ||
      lower_overflow_intrinsic(call, id) || lower_bit_intrinsic(call, id) || lower_constrained(call, id) ||
      lower_float_intrinsic(call, id) || lower_vector_intrinsic(call, id))
    return;
  const llvm::StringRef name =
      call.getCalledFunction() != nullptr ? call.getCalledFunction()->getName() : llvm::Intrinsic::getBaseName(id);
  if (name.starts_with("llvm.eh.")) throw Unlowerable{fmt::format("C++ exceptions ({})", std::string_view(name))};
  llvm::SmallVector<Parts, 4> operands;
  if (name.starts_with("llvm.x86."))
    for (const llvm::Use& operand : call.args()) operands.push_back(parts(*operand));
  if (const auto made = lower_x86(builder_, std::string_view(name), operands)) return define(call, *made);
  if (lower_opaque(call)) return;
  throw Unlowerable{fmt::format("intrinsic '{}'", std::string_view(name))};
}

bool FunctionLowering::lower_memory_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  const auto operand = [&](unsigned i) { return scalar(*call.getArgOperand(i)); };
  switch (id) {
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memcpy_inline:
    case llvm::Intrinsic::memmove:
    case llvm::Intrinsic::memcpy_element_unordered_atomic:
    case llvm::Intrinsic::memmove_element_unordered_atomic:
      builder_.emit(Kind::CopyMemory, 0, std::array{operand(0), operand(1), resize(operand(2), pointer_width())});
      return true;
    case llvm::Intrinsic::memset:
    case llvm::Intrinsic::memset_inline:
    case llvm::Intrinsic::memset_element_unordered_atomic:
      builder_.emit(Kind::FillMemory, 0, std::array{operand(0), operand(1), resize(operand(2), pointer_width())});
      return true;
    case llvm::Intrinsic::vastart:
      intrinsic(Intrinsic::VaStart, {operand(0)});
      return true;
    case llvm::Intrinsic::vacopy:
      if (const std::uint32_t size = module_.platform().variadic_list_size; size != 0)
        return builder_.emit(Kind::CopyMemory, 0, std::array{operand(0), operand(1), pointer_sized(size)}), true;
      throw Unlowerable{fmt::format("va_copy on {}", call.getModule()->getTargetTriple())};
    case llvm::Intrinsic::load_relative:
      define(call, {load_relative(*call.getArgOperand(0), *call.getArgOperand(1))});
      return true;
    case llvm::Intrinsic::ptrmask: {
      // Bits above the mask's stay.
      const ValueId mask = operand(1);
      const ValueId pointer = operand(0);
      define(call, {builder_.op(Op::And, {pointer, resize(mask, builder_.width(pointer), true)})});
      return true;
    }
    default:
      return false;
  }
}

ValueId FunctionLowering::load_relative(const llvm::Value& table, const llvm::Value& offset) {
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&table);
  if (global == nullptr || !is_relative_table(*global)) throw Unlowerable{"a table of relative addresses"};
  const std::uint32_t entry = pointer_width() / 8;
  const ValueId scale = pointer_sized(entry / kRelativeEntrySize);
  const ValueId distance = builder_.op(Op::Mul, {resize(scalar(offset), pointer_width(), true), scale});
  return builder_.load(builder_.op(Op::Add, {scalar(table), distance}), pointer_width(), entry);
}

bool FunctionLowering::lower_scope(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  if (id != llvm::Intrinsic::lifetime_start && id != llvm::Intrinsic::lifetime_end) return false;
  const llvm::Value& object = *call.getArgOperand(1);
  if (!llvm::isa<llvm::AllocaInst>(object)) return false;
  intrinsic(id == llvm::Intrinsic::lifetime_start ? Intrinsic::EnterScope : Intrinsic::LeaveScope, {scalar(object)});
  return true;
}

bool FunctionLowering::lower_stack_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::stacksave:
      define(call, {intrinsic(Intrinsic::StackSave, {}, pointer_width())});
      return true;
    case llvm::Intrinsic::stackrestore:
      intrinsic(Intrinsic::StackRestore, {scalar(*call.getArgOperand(0))});
      return true;
    case llvm::Intrinsic::trap:
    case llvm::Intrinsic::debugtrap:
    case llvm::Intrinsic::ubsantrap:
      builder_.halt(HaltReason::Trap);
      return true;
    case llvm::Intrinsic::x86_sse2_pause:
      intrinsic(Intrinsic::ThreadYield, {}, 32);
      return true;
    case llvm::Intrinsic::x86_sse_sfence:
    case llvm::Intrinsic::x86_sse2_lfence:
    case llvm::Intrinsic::x86_sse2_mfence:
      mark(Intrinsic::Fence, program::kAcquire | program::kRelease);
      return true;
    default:
      return false;
  }
}

bool FunctionLowering::lower_plain_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  const auto define_number = [&](const BitVector& value) { define(call, {builder_.constant(value)}); };
  const auto width = [&] { return shape(call).parts.front().width; };
  switch (id) {
    case llvm::Intrinsic::objectsize: {
      const bool is_least = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne();
      define_number(is_least ? BitVector(width(), 0) : BitVector::ones(width()));
      return true;
    }
    case llvm::Intrinsic::is_constant:
    case llvm::Intrinsic::returnaddress:
    case llvm::Intrinsic::frameaddress:
    case llvm::Intrinsic::addressofreturnaddress:
    case llvm::Intrinsic::sponentry:
      define_number(BitVector(width(), 0));
      return true;
    case llvm::Intrinsic::invariant_start:
      define_number(BitVector(width(), 0));
      return true;
    case llvm::Intrinsic::get_rounding:
      define_number(BitVector(width(), 1));
      return true;
    case llvm::Intrinsic::readcyclecounter:
    case llvm::Intrinsic::readsteadycounter:
      define(call, {intrinsic(Intrinsic::Nondet, {}, width(), module_.message("unsigned long long"))});
      return true;
    default:
      return false;
  }
}

bool FunctionLowering::lower_float_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  llvm::StringRef name = llvm::Intrinsic::getBaseName(id);
  name.consume_front("llvm.");
  const auto function = math_function(std::string_view(name), true);
  const bool is_conversion = id == llvm::Intrinsic::fptosi_sat || id == llvm::Intrinsic::fptoui_sat;
  if (!function && !is_conversion && id != llvm::Intrinsic::is_fpclass && id != llvm::Intrinsic::powi) return false;
  llvm::Type* format = call.getArgOperand(0)->getType()->getScalarType();
  const Shape& shape = this->shape(call);
  const auto mask = [&] {
    return static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue());
  };
  Parts made;
  for (std::uint32_t lane = 0; lane < shape.parts.size(); ++lane) {
    const std::uint32_t width = shape.parts[lane].width;
    const ValueId first = lane_of(*call.getArgOperand(0), lane);
    if (is_conversion) {
      made.push_back(saturating_to_integer(first, format, width, id == llvm::Intrinsic::fptosi_sat));
    } else if (id == llvm::Intrinsic::is_fpclass) {
      made.push_back(float_class(first, format, mask()));
    } else if (id == llvm::Intrinsic::powi) {
      made.push_back(integer_power(first, scalar(*call.getArgOperand(1)), format));
    } else {
      Parts operands{first};
      for (unsigned i = 1; i < function->arity; ++i) operands.push_back(lane_of(*call.getArgOperand(i), lane));
      made.push_back(math(*function, operands, format, width));
    }
  }
  define(call, made);
  return true;
}

ValueId FunctionLowering::integer_power(ValueId base, ValueId exponent, llvm::Type* format) {
  const auto constant = known(exponent);
  if (!constant) throw Unlowerable{"intrinsic 'llvm.powi' with a varying exponent"};
  // The order of multiplications is that of the compiler's own library.
  const std::uint32_t width = builder_.width(base);
  const bool is_reciprocal = constant->sign();
  std::uint64_t rest = is_reciprocal ? (-*constant).to_uint64() : constant->to_uint64();
  const ValueId one = float_op(FloatOp::FromUnsigned, {builder_.constant(8, 1)}, width, format);
  ValueId result = one;
  for (;;) {
    if ((rest & 1) != 0) result = float_op(FloatOp::Mul, {result, base}, width, format);
    rest /= 2;
    if (rest == 0) break;
    base = float_op(FloatOp::Mul, {base, base}, width, format);
  }
  return is_reciprocal ? float_op(FloatOp::Div, {one, result}, width, format) : result;
}

}  // namespace plumb::frontend
