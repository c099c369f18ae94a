#pragma once

#include <optional>
#include <span>

#include "program/fault.h"
#include "program/program.h"

namespace plumb::program {

/// What is undefined in C about an Operator that Program::checks ask for: SignedOverflow of a sum, difference, product
/// or negation, or ShiftOutOfRange. Nothing in models, whose arithmetic is not the user's. Divisions are faults
/// whatever the checks.
std::optional<FaultKind> operator_check(const Function& function, const Instruction& instruction, CheckSet checks);

/// The predicate of the same operands that says that a sum, difference, product or negation overflows; nothing for
/// other operators.
std::optional<term::Op> overflow_predicate(term::Op op);

/// On numbers: the operation with these flags is undefined in C.
bool is_undefined(term::Op op, std::uint16_t flags, std::span<const BitVector* const> operands);

}  // namespace plumb::program
