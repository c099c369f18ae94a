#pragma once

#include <llvm/IR/Function.h>

#include <optional>
#include <string>
#include <string_view>

#include "program/float_op.h"
#include "program/intrinsic.h"

namespace plumb::frontend {

using program::FloatOp;
using program::Intrinsic;

/// A function of the mathematical library, or LLVM's intrinsic of that meaning.
struct MathFunction {
  enum class Form : std::uint8_t {
    Plain,      ///< the FloatOp
    Absolute,   ///< of the bits
    CopySign,   ///< of the bits
    ToInteger,  ///< the FloatOp, then truncation to a signed integer
    MulAdd,     ///< rounds twice, as code for a processor without fused multiplication does
    Minimum,    ///< IEEE 754-2019: NaN wins, -0 is below +0
    Maximum,
    Identity,
  };
  Form form = Form::Plain;
  FloatOp op = FloatOp::Add;
  unsigned arity = 1;
};
/// By the name without format suffix: "sin", "fmuladd". LLVM's own names count only with `is_llvm`.
std::optional<MathFunction> math_function(std::string_view name, bool is_llvm);

/// What a call of a function of the environment becomes, in place of a Call.
struct LibraryFunction {
  enum class Form : std::uint8_t { Intrinsic, Math, Refused };
  Form form = Form::Intrinsic;
  Intrinsic intrinsic = Intrinsic::Nondet;
  MathFunction math;
  std::string refusal;  ///< names what has no lowering
};
/// Nothing for a function that is called like any other: it has a body, or its name means nothing here. The error and
/// assumption functions of the verifiers' vocabulary mean the same whatever body a program gives them.
std::optional<LibraryFunction> library_function(const llvm::Function& function);

/// The operands and the result of an intrinsic, a letter each: p pointer, z size (pointer width), i int, l 64 bits,
/// b condition; result empty if there is none.
struct IntrinsicSignature {
  std::string_view operands;
  std::string_view result;
};
IntrinsicSignature signature(Intrinsic intrinsic);

/// The C type that a function for inputs gives: "unsigned int" for __VERIFIER_nondet_uint.
std::string nondet_type(std::string_view function);

}  // namespace plumb::frontend
