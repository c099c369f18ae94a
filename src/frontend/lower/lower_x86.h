#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

#include <optional>
#include <string_view>

#include "program/function_builder.h"

namespace plumb::frontend {

using program::FunctionBuilder;
using program::ValueId;

/// The result, as scalars, of one of LLVM's x86 intrinsics on integers: what clang makes of SSE2 to AVX2, PCLMULQDQ,
/// CRC32, BMI and ADX where plain vector instructions of LLVM cannot say it, and the unmasked AVX-512 forms of the
/// same. `name` is the function's ("llvm.x86.sse2.psad.bw"); `operands` are the scalars of each argument. Nothing if
/// the intrinsic is another one; then nothing was emitted.
std::optional<llvm::SmallVector<ValueId, 4>> lower_x86(FunctionBuilder& builder, std::string_view name,
                                                       llvm::ArrayRef<llvm::SmallVector<ValueId, 4>> operands);

/// The part of lower_x86() whose operands are numbers more than vectors: carry-less products, CRC, bit fields, carries.
/// `name` is without "llvm.x86.".
std::optional<llvm::SmallVector<ValueId, 4>> lower_x86_number(FunctionBuilder& builder, std::string_view name,
                                                              llvm::ArrayRef<llvm::SmallVector<ValueId, 4>> operands);

}  // namespace plumb::frontend
