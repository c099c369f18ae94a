#include <fmt/format.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InlineAsm.h>

#include <algorithm>
#include <array>

#include "frontend/lower/lower_function.h"
#include "frontend/lower/marks.h"
#include "frontend/module.h"
#include "frontend/unset.h"
#include "program/goal.h"
#include "result/input_reader.h"

// Variadic arguments are operands behind the fixed ones. Who reads them lays them out by their widths alone: each at an
// offset aligned to the pointer size (16 for widths 80 and 128 on 64-bit targets), taking its width rounded up to that.
// Vectors are therefore joined into one operand, and structures passed by value are cut into pieces of the pointer
// size.

namespace plumb::frontend {

using program::HaltReason;
using program::is_final;
using program::Kind;

using term::Op;

void FunctionLowering::lower_call(const llvm::CallBase& call) {
  const llvm::Value* called = call.getCalledOperand()->stripPointerCastsAndAliases();
  if (const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(called)) return lower_assembly(call, *assembly);
  if (llvm::isa<llvm::CallBrInst>(call)) throw Unlowerable{"asm goto"};
  const auto* callee = llvm::dyn_cast<llvm::Function>(called);
  if (callee == nullptr) return indirect_call(call, arguments(call));
  if (const std::optional<std::string> site = unset_site(call)) return lower_unset(call, *site);
  if (callee->isIntrinsic()) return lower_intrinsic(call, callee->getIntrinsicID());
  if (const auto& library = module_.library(*callee)) {
    llvm::SmallVector<llvm::Type*, 4> types;
    for (const llvm::Use& argument : call.args()) types.push_back(argument->getType());
    return define(call, library_call(*library, *callee, arguments(call), types, shape(call)));
  }
  direct_call(call, *callee);
}

void FunctionLowering::lower_unset(const llvm::CallBase& call, const std::string& site) {
  if (call.getType()->isVoidTy()) {
    intrinsic(Intrinsic::UnsetMemory,
              {scalar(*call.getArgOperand(0)), resize(scalar(*call.getArgOperand(1)), pointer_width())}, 0,
              module_.message(site));
    return;
  }
  Parts made;
  for (const Part& part : shape(call).parts)
    made.push_back(intrinsic(Intrinsic::UnsetValue, {}, part.width, module_.message(site)));
  if (call.getType()->isPointerTy()) builder_.set_pointer(made.front());
  define(call, made);
}

void FunctionLowering::lower_assembly(const llvm::CallBase& call, const llvm::InlineAsm& assembly) {
  const llvm::StringRef text = llvm::StringRef(assembly.getAsmString()).trim();
  // Without instructions it only keeps the compiler from optimising, and hands an operand that is in and out on.
  if (text.empty() && call.getType()->isVoidTy()) return;
  const llvm::InlineAsm::ConstraintInfoVector constraints = assembly.ParseConstraints();
  const bool is_passed_on = constraints.size() >= 2 && call.arg_size() == 1 &&
                            constraints[0].Type == llvm::InlineAsm::isOutput && !constraints[0].isIndirect &&
                            constraints[1].Codes.size() == 1 && constraints[1].Codes.front() == "0" &&
                            call.getArgOperand(0)->getType() == call.getType();
  if (text.empty() && is_passed_on) return define(call, parts(*call.getArgOperand(0)));
  if (lower_opaque(call)) return;
  std::string shown = text.str();
  for (char& c : shown)
    if (c == '\n' || c == '\t') c = ' ';
  throw Unlowerable{fmt::format("inline assembly '{}'", shown)};
}

bool FunctionLowering::lower_opaque(const llvm::CallBase& call) {
  if (is_x86(*source_.getParent()) || call.isTerminator()) return false;
  mark(Intrinsic::Fence, program::kAcquire | program::kRelease);
  Parts made;
  for (const Part& part : shape(call).parts) made.push_back(builder_.undefined(part.width));
  if (!call.getType()->isVoidTy()) define(call, made);
  return true;
}

void FunctionLowering::allocate_copies(const BlockSet& blocks) {
  for (const llvm::BasicBlock& block : source_) {
    if (!blocks.contains(&block)) continue;
    for (const llvm::Instruction& instruction : block) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr) continue;
      for (unsigned i = 0; i < call->getFunctionType()->getNumParams(); ++i) {
        llvm::Type* type = call->getParamByValType(i);
        if (type == nullptr) continue;
        const std::uint64_t size = module_.layout().getTypeAllocSize(type).getFixedValue();
        const llvm::Align alignment = call->getParamAlign(i).value_or(module_.layout().getABITypeAlign(type));
        ValueId& copy = copies_.try_emplace({size, alignment.value(), i}, kNone).first->second;
        if (copy == kNone) copy = builder_.allocate(pointer_sized(size), static_cast<std::uint32_t>(alignment.value()));
      }
    }
  }
}

ValueId FunctionLowering::copy_by_value(const llvm::CallBase& call, unsigned argument) {
  llvm::Type* type = call.getParamByValType(argument);
  const std::uint64_t size = module_.layout().getTypeAllocSize(type).getFixedValue();
  const llvm::Align alignment = call.getParamAlign(argument).value_or(module_.layout().getABITypeAlign(type));
  const ValueId copy = copies_.at({size, alignment.value(), argument});
  const ValueId from = scalar(*call.getArgOperand(argument));
  builder_.emit(Kind::CopyMemory, 0, std::array{copy, from, pointer_sized(size)});
  return copy;
}

Parts FunctionLowering::arguments(const llvm::CallBase& call) {
  Parts operands;
  const unsigned fixed = call.getFunctionType()->getNumParams();
  std::uint64_t offset = 0;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (i >= fixed) {
      add_variadic(call, i, operands, offset);
    } else if (call.getParamByValType(i) != nullptr) {
      operands.push_back(copy_by_value(call, i));
    } else {
      operands.append(parts(*call.getArgOperand(i)));
    }
  }
  return operands;
}

void FunctionLowering::add_variadic(const llvm::CallBase& call, unsigned argument, Parts& operands,
                                    std::uint64_t& offset) {
  const std::uint32_t slot = pointer_width() / 8;
  const auto add = [&](ValueId operand) {
    const std::uint32_t width = builder_.width(operand);
    if (slot == 8 && (width == 80 || width == 128)) offset = (offset + 15) / 16 * 16;
    const std::uint64_t size = width == 80 && slot == 8 ? 16 : (width + 7) / 8;
    offset += (size + slot - 1) / slot * slot;
    operands.push_back(operand);
  };
  const llvm::Value& value = *call.getArgOperand(argument);
  if (llvm::Type* type = call.getParamByValType(argument)) {
    const llvm::Align alignment = call.getParamAlign(argument).valueOrOne();
    while (slot == 8 && offset % alignment.value() != 0) add(builder_.undefined(pointer_width()));
    const std::uint64_t size = module_.layout().getTypeAllocSize(type).getFixedValue();
    const ValueId from = scalar(value);
    for (std::uint64_t done = 0; done < size; done += slot) {
      const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(slot, size - done));
      const auto at = static_cast<std::uint32_t>(llvm::commonAlignment(alignment, done).value());
      add(resize(builder_.load(offset_address(from, static_cast<std::int64_t>(done)), bytes * 8, at), pointer_width()));
    }
    return;
  }
  Parts all = parts(value);
  if (value.getType()->isVectorTy())
    while (all.size() > 1) {
      all[1] = join(all[0], all[1]);
      all.erase(all.begin());
    }
  for (const ValueId part : all) add(part);
}

bool FunctionLowering::has_other_types(const llvm::CallBase& call, const llvm::Function& callee, const Parts& given) {
  const llvm::DISubprogram* source = callee.getSubprogram();
  const bool has_prototype = source != nullptr && (source->getFlags() & llvm::DINode::FlagPrototyped) != 0;
  if (!has_prototype || callee.isDeclaration() || callee.hasFnAttribute(kModelAttribute)) return false;
  const Shape& results = module_.shapes().of(callee.getReturnType());
  const Shape& expected = shape(call);
  if (!call.use_empty() && !std::ranges::equal(results.parts, expected.parts, {}, &Part::width, &Part::width))
    return true;
  std::size_t i = 0;
  for (const llvm::Argument& parameter : callee.args())
    for (const Part& part : shape(parameter).parts)
      if (builder_.width(given[i++]) != part.width) return true;
  return false;
}

void FunctionLowering::direct_call(const llvm::CallBase& call, const llvm::Function& callee) {
  std::size_t wanted = 0;
  for (const llvm::Argument& parameter : callee.args()) wanted += shape(parameter).parts.size();
  const Parts given = arguments(call);
  if (given.size() < wanted || has_other_types(call, callee, given)) {
    indirect_call(call, given);  // which is checked, and refused, where it happens
    return;
  }
  Parts operands;
  // A call of a function without prototype may give other arguments than it takes.
  for (const llvm::Argument& parameter : callee.args())
    for (const Part& part : shape(parameter).parts) {
      const std::size_t i = operands.size();
      operands.push_back(resize(given[i], part.width));
    }
  if (callee.isVarArg() && given.size() > operands.size())
    operands.append(given.begin() + static_cast<std::ptrdiff_t>(operands.size()), given.end());
  llvm::SmallVector<std::uint32_t, 2> widths;
  for (const Part& part : module_.shapes().of(callee.getReturnType()).parts) widths.push_back(part.width);
  const ValueId first = builder_.emit(Kind::Call, 0, operands, widths, module_.function(callee));
  define(call, call_results(first, widths, shape(call)));
}

void FunctionLowering::indirect_call(const llvm::CallBase& call, const Parts& given) {
  Parts operands{scalar(*call.getCalledOperand())};
  operands.append(given);
  llvm::SmallVector<std::uint32_t, 2> widths;
  for (const Part& part : shape(call).parts) widths.push_back(part.width);
  const ValueId first = builder_.emit(Kind::CallIndirect, 0, operands, widths);
  define(call, call_results(first, widths, shape(call)));
}

Parts FunctionLowering::call_results(ValueId first, llvm::ArrayRef<std::uint32_t> widths, const Shape& wanted) {
  Parts made;
  for (std::uint32_t i = 0; i < wanted.parts.size(); ++i) {
    const std::uint32_t width = wanted.parts[i].width;
    made.push_back(i < widths.size() ? resize(first + i, width) : builder_.undefined(width));
  }
  return made;
}

void FunctionLowering::make_library_body(const LibraryFunction& library) {
  builder_.set_location(function_location_);
  builder_.select(builder_.add_block());
  Parts operands;
  llvm::SmallVector<llvm::Type*, 4> types;
  for (const llvm::Argument& argument : source_.args()) {
    operands.append(parts(argument));
    types.push_back(argument.getType());
  }
  try {
    const Parts results = library_call(library, source_, operands, types, module_.shapes().of(source_.getReturnType()));
    if (!builder_.is_terminated()) builder_.return_values(results);
  } catch (const Unlowerable& reason) {
    builder_.halt(HaltReason::Unsupported, module_.message(reason.what));
  }
}

Parts FunctionLowering::library_call(const LibraryFunction& library, const llvm::Function& callee,
                                     llvm::ArrayRef<ValueId> operands, llvm::ArrayRef<llvm::Type*> types,
                                     const Shape& result) {
  switch (library.form) {
    case LibraryFunction::Form::Intrinsic:
      return intrinsic_call(library.intrinsic, callee, operands, result);
    case LibraryFunction::Form::Math: {
      const bool fits = types.size() == library.math.arity && types.front() == callee.getArg(0)->getType();
      if (!fits || result.parts.size() != 1)
        throw Unlowerable{fmt::format("a call of {} with other arguments", std::string_view(callee.getName()))};
      return {math(library.math, operands, types.front(), result.parts.front().width)};
    }
    case LibraryFunction::Form::Refused:
      break;
  }
  throw Unlowerable{library.refusal};
}

std::uint32_t FunctionLowering::letter_width(char letter) const {
  switch (letter) {
    case 'b':
      return 1;
    case 'i':
      return 32;
    case 'l':
      return 64;
    default:
      return pointer_width();
  }
}

Parts FunctionLowering::intrinsic_call(Intrinsic intrinsic, const llvm::Function& callee,
                                       llvm::ArrayRef<ValueId> operands, const Shape& result) {
  Parts made;
  if (intrinsic == Intrinsic::Nondet) {
    const std::uint32_t type = module_.message(nondet_type(std::string_view(callee.getName())));
    for (const Part& part : result.parts) made.push_back(this->intrinsic(intrinsic, {}, part.width, type));
    return made;
  }
  const IntrinsicSignature expected = signature(intrinsic);
  Parts given;
  for (std::size_t i = 0; i < expected.operands.size(); ++i) {
    const std::uint32_t width = letter_width(expected.operands[i]);
    if (i >= operands.size()) {
      given.push_back(builder_.constant(width, 0));
    } else if (expected.operands[i] == 'b') {
      const std::uint32_t from = builder_.width(operands[i]);
      given.push_back(from == 1 ? operands[i]
                                : compare_integers(llvm::CmpInst::ICMP_NE, operands[i], builder_.constant(from, 0)));
    } else {
      given.push_back(resize(operands[i], width, true));
    }
  }
  llvm::SmallVector<std::uint32_t, 1> widths;
  if (!expected.result.empty()) widths.push_back(letter_width(expected.result.front()));
  std::uint32_t text = kNone;
  if (const llvm::Attribute check = callee.getFnAttribute(kCheckAttribute); check.isValid())
    text = module_.message(check.getValueAsString().str());
  if (intrinsic == Intrinsic::HostClock)
    for (std::uint32_t which = 0; which < result::kClockInputs.size(); ++which)
      if (given[0] == builder_.constant(letter_width('i'), which))
        text = module_.message(std::string(result::kClockInputs[which]));
  const ValueId first = this->intrinsic(intrinsic, given, widths.empty() ? 0 : widths.front(), text);
  if (expected.result == "p") builder_.set_pointer(first);
  // Nothing follows, whatever the caller's declaration of the function says.
  if (is_final(intrinsic)) builder_.halt(HaltReason::Unreachable);
  return call_results(first, widths, result);
}

ValueId FunctionLowering::intrinsic(Intrinsic intrinsic, llvm::ArrayRef<ValueId> operands, std::uint32_t width,
                                    std::uint32_t parameter) {
  const std::span<const std::uint32_t> widths(&width, width == 0 ? 0 : 1);
  return builder_.emit(Kind::Intrinsic, static_cast<std::uint8_t>(intrinsic), operands, widths, parameter);
}

void FunctionLowering::mark(Intrinsic intrinsic, std::uint16_t flags) {
  builder_.emit(Kind::Intrinsic, static_cast<std::uint8_t>(intrinsic), {}, {}, kNone, flags);
}

}  // namespace plumb::frontend
