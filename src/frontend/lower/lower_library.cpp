#include "frontend/lower/lower_library.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>
#include <llvm/IR/DerivedTypes.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace plumb::frontend {

using program::intrinsic_of;
namespace {

using Form = MathFunction::Form;

const absl::flat_hash_map<std::string_view, MathFunction>& math_table() {
  static const absl::flat_hash_map<std::string_view, MathFunction> kTable = {
      {"sqrt", {Form::Plain, FloatOp::Sqrt, 1}},
      {"fma", {Form::Plain, FloatOp::Fma, 3}},
      {"fmod", {Form::Plain, FloatOp::Rem, 2}},
      {"floor", {Form::Plain, FloatOp::Floor, 1}},
      {"ceil", {Form::Plain, FloatOp::Ceil, 1}},
      {"trunc", {Form::Plain, FloatOp::Trunc, 1}},
      {"round", {Form::Plain, FloatOp::Round, 1}},
      {"roundeven", {Form::Plain, FloatOp::RoundEven, 1}},
      {"rint", {Form::Plain, FloatOp::RoundEven, 1}},
      {"nearbyint", {Form::Plain, FloatOp::RoundEven, 1}},
      {"lround", {Form::ToInteger, FloatOp::Round, 1}},
      {"llround", {Form::ToInteger, FloatOp::Round, 1}},
      {"lrint", {Form::ToInteger, FloatOp::RoundEven, 1}},
      {"llrint", {Form::ToInteger, FloatOp::RoundEven, 1}},
      {"fmin", {Form::Plain, FloatOp::Min, 2}},
      {"fmax", {Form::Plain, FloatOp::Max, 2}},
      {"fabs", {Form::Absolute, FloatOp::Add, 1}},
      {"copysign", {Form::CopySign, FloatOp::Add, 2}},
      {"sin", {Form::Plain, FloatOp::Sin, 1}},
      {"cos", {Form::Plain, FloatOp::Cos, 1}},
      {"tan", {Form::Plain, FloatOp::Tan, 1}},
      {"asin", {Form::Plain, FloatOp::Asin, 1}},
      {"acos", {Form::Plain, FloatOp::Acos, 1}},
      {"atan", {Form::Plain, FloatOp::Atan, 1}},
      {"atan2", {Form::Plain, FloatOp::Atan2, 2}},
      {"sinh", {Form::Plain, FloatOp::Sinh, 1}},
      {"cosh", {Form::Plain, FloatOp::Cosh, 1}},
      {"tanh", {Form::Plain, FloatOp::Tanh, 1}},
      {"exp", {Form::Plain, FloatOp::Exp, 1}},
      {"exp2", {Form::Plain, FloatOp::Exp2, 1}},
      {"expm1", {Form::Plain, FloatOp::Expm1, 1}},
      {"log", {Form::Plain, FloatOp::Log, 1}},
      {"log2", {Form::Plain, FloatOp::Log2, 1}},
      {"log10", {Form::Plain, FloatOp::Log10, 1}},
      {"log1p", {Form::Plain, FloatOp::Log1p, 1}},
      {"pow", {Form::Plain, FloatOp::Pow, 2}},
      {"cbrt", {Form::Plain, FloatOp::Cbrt, 1}},
      {"hypot", {Form::Plain, FloatOp::Hypot, 2}},
  };
  return kTable;
}

std::optional<MathFunction> llvm_math_function(std::string_view name) {
  if (name == "minnum") return MathFunction{Form::Plain, FloatOp::Min, 2};
  if (name == "maxnum") return MathFunction{Form::Plain, FloatOp::Max, 2};
  if (name == "minimum") return MathFunction{Form::Minimum, FloatOp::Less, 2};
  if (name == "maximum") return MathFunction{Form::Maximum, FloatOp::Less, 2};
  if (name == "fmuladd") return MathFunction{Form::MulAdd, FloatOp::Add, 3};
  if (name == "canonicalize" || name == "arithmetic.fence") return MathFunction{Form::Identity, FloatOp::Add, 1};
  return std::nullopt;
}

/// The type that a name of the C library promises: a user's own function without a body may have the same name.
bool has_math_type(const llvm::FunctionType& type, const MathFunction& math, llvm::Type::TypeID format) {
  const auto is_format = [&](const llvm::Type* t) {
    return t->getTypeID() == format || (format == llvm::Type::X86_FP80TyID && t->isFP128Ty());
  };
  const bool fits_result =
      math.form == Form::ToInteger ? type.getReturnType()->isIntegerTy() : is_format(type.getReturnType());
  return fits_result && !type.isVarArg() && type.getNumParams() == math.arity &&
         std::ranges::all_of(type.params(), is_format);
}

std::optional<MathFunction> library_math(std::string_view name, const llvm::FunctionType& type) {
  if (const auto math = math_function(name, false); math && has_math_type(type, *math, llvm::Type::DoubleTyID))
    return math;
  if (name.size() < 2 || (name.back() != 'f' && name.back() != 'l')) return std::nullopt;
  const auto format = name.back() == 'f' ? llvm::Type::FloatTyID : llvm::Type::X86_FP80TyID;
  const auto math = math_function(name.substr(0, name.size() - 1), false);
  return math && has_math_type(type, *math, format) ? math : std::nullopt;
}

std::string refusal_of(std::string_view name) {
  static constexpr std::array<std::string_view, 5> kThrows = {"__cxa_throw", "__cxa_rethrow", "__cxa_begin_catch",
                                                              "_Unwind_Resume", "_Unwind_RaiseException"};
  if (std::ranges::find(kThrows, name) != kThrows.end()) return fmt::format("C++ exceptions ({})", name);
  if (name == "plumb_destructor_of_key") return "the destructor of a pthread key, run when a thread ends";
  return {};
}

bool has_fixed_meaning(std::string_view name) {
  return name == "reach_error" || name == "__VERIFIER_error" || name == "__VERIFIER_assume" ||
         name == "__clang_call_terminate";
}

/// std::terminate under its names.
bool is_terminate(std::string_view name) { return name == "__clang_call_terminate" || name == "_ZSt9terminatev"; }

}  // namespace

std::optional<MathFunction> math_function(std::string_view name, bool is_llvm) {
  if (is_llvm)
    if (const auto math = llvm_math_function(name)) return math;
  if (const auto it = math_table().find(name); it != math_table().end()) return it->second;
  return std::nullopt;
}

std::optional<LibraryFunction> library_function(const llvm::Function& function) {
  const std::string_view name = function.getName();
  if (function.isIntrinsic()) return std::nullopt;
  if (!function.isDeclaration() && !has_fixed_meaning(name)) return std::nullopt;
  LibraryFunction made;
  if (const auto intrinsic = is_terminate(name) ? Intrinsic::Abort : intrinsic_of(name)) {
    made.intrinsic = *intrinsic;
    return made;
  }
  if (const auto math = library_math(name, *function.getFunctionType())) {
    made.form = LibraryFunction::Form::Math;
    made.math = *math;
    return made;
  }
  made.refusal = refusal_of(name);
  if (made.refusal.empty()) return std::nullopt;
  made.form = LibraryFunction::Form::Refused;
  return made;
}

IntrinsicSignature signature(Intrinsic intrinsic) {
  switch (intrinsic) {
    case Intrinsic::Nondet:
    case Intrinsic::UnsetValue:
    case Intrinsic::Error:
    case Intrinsic::Abort:
    case Intrinsic::AtomicBegin:
    case Intrinsic::AtomicEnd:
    case Intrinsic::Fence:
    case Intrinsic::ThreadWait:
      return {"", ""};
    case Intrinsic::MakeSymbolic:
      return {"pzp", ""};
    case Intrinsic::Assume:
    case Intrinsic::Check:
      return {"b", ""};
    case Intrinsic::AssertFail:
      return {"ppip", ""};
    case Intrinsic::Exit:
    case Intrinsic::QuickExit:
      return {"i", ""};
    case Intrinsic::Malloc:
      return {"z", "p"};
    case Intrinsic::Calloc:
    case Intrinsic::AlignedAlloc:
      return {"zz", "p"};
    case Intrinsic::Realloc:
      return {"pz", "p"};
    case Intrinsic::Free:
    case Intrinsic::StackRestore:
    case Intrinsic::EnterScope:
    case Intrinsic::LeaveScope:
    case Intrinsic::VaStart:
    case Intrinsic::ThreadExit:
      return {"p", ""};
    case Intrinsic::UnsetMemory:
      return {"pz", ""};
    case Intrinsic::StackSave:
      return {"", "p"};
    case Intrinsic::AtExit:
    case Intrinsic::SetJump:
    case Intrinsic::MutexLock:
    case Intrinsic::MutexTryLock:
    case Intrinsic::MutexUnlock:
    case Intrinsic::CondSignal:
    case Intrinsic::CondBroadcast:
      return {"p", "i"};
    case Intrinsic::LongJump:
      return {"pi", ""};
    case Intrinsic::ThreadCreate:
      return {"pppp", "i"};
    case Intrinsic::ThreadJoin:
      return {"zp", "i"};
    case Intrinsic::ThreadSelf:
      return {"", "z"};
    case Intrinsic::ThreadYield:
    case Intrinsic::ThreadTimedWait:
      return {"", "i"};
    case Intrinsic::MutexKind:
      return {"pi", ""};
    case Intrinsic::CondWait:
    case Intrinsic::CondTimedWait:
      return {"pp", "i"};
    case Intrinsic::HostRead:
    case Intrinsic::HostWrite:
      return {"ipz", "z"};
    case Intrinsic::HostOpen:
      return {"pi", "i"};
    case Intrinsic::HostClose:
      return {"i", "i"};
    case Intrinsic::HostSeek:
      return {"ili", "l"};
    case Intrinsic::HostClock:
      return {"i", "l"};
    case Intrinsic::HostAny:
      return {"l", "l"};
    case Intrinsic::CheckPointer:
      return {"pp", ""};
    case Intrinsic::HostGap:
      return {"p", ""};
  }
  INVARIANT(false, "every intrinsic should have a signature");
  return {};
}

std::string nondet_type(std::string_view function) {
  static const absl::flat_hash_map<std::string_view, std::string_view> kTypes = {{"uchar", "unsigned char"},
                                                                                 {"ushort", "unsigned short"},
                                                                                 {"uint", "unsigned int"},
                                                                                 {"ulong", "unsigned long"},
                                                                                 {"longlong", "long long"},
                                                                                 {"ulonglong", "unsigned long long"},
                                                                                 {"bool", "_Bool"},
                                                                                 {"pchar", "char *"},
                                                                                 {"pointer", "void *"},
                                                                                 {"unsigned", "unsigned int"},
                                                                                 {"charp", "char *"},
                                                                                 {"schar", "signed char"},
                                                                                 {"int128", "__int128"},
                                                                                 {"uint128", "unsigned __int128"},
                                                                                 {"u8", "unsigned char"},
                                                                                 {"u16", "unsigned short"},
                                                                                 {"u32", "unsigned int"},
                                                                                 {"u64", "unsigned long long"},
                                                                                 {"longdouble", "long double"}};
  for (const std::string_view prefix : {"__VERIFIER_nondet_", "plumb_nondet_", "klee_"})
    if (function.starts_with(prefix)) {
      function.remove_prefix(prefix.size());
      break;
    }
  std::string type(function);
  if (const auto it = kTypes.find(function); it != kTypes.end()) return std::string(it->second);
  if (function.starts_with("unsigned_")) std::ranges::replace(type, '_', ' ');
  return type;
}

}  // namespace plumb::frontend
