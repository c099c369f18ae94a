#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "program/fault.h"
#include "program/platform.h"
#include "program/program.h"
#include "term/term_store.h"

namespace plumb::semantics {

/// It gives a quotient or a remainder, so its second operand must not be 0. (Smod is one of them, though no C program
/// has it.)
constexpr bool is_division(term::Op op) noexcept { return op >= term::Op::Udiv && op <= term::Op::Smod; }
/// Of signed numbers: the quotient of the least number and -1 does not fit.
constexpr bool is_signed_division(term::Op op) noexcept { return op >= term::Op::Sdiv && op <= term::Op::Smod; }
constexpr bool is_shift(term::Op op) noexcept {
  return op == term::Op::Shl || op == term::Op::Lshr || op == term::Op::Ashr;
}

/// Something that an operator can do wrong. It happens if `predicate` holds of the operands that `about` says.
struct OperatorFault {
  enum class About : std::uint8_t {
    Operands,  ///< predicate(all of them)
    Divisor,   ///< predicate(second, 0)
    Amount,    ///< predicate(width of the first, second): a shift's two operands have one width
  };
  program::FaultKind kind = program::FaultKind::DivisionByZero;
  term::Op predicate = term::Op::Eq;
  About about = About::Operands;
};

/// In the order in which a run meets them; it ends at the first.
class OperatorFaults {
 public:
  constexpr void add(const OperatorFault& fault) noexcept { faults_[count_++] = fault; }
  constexpr const OperatorFault* begin() const noexcept { return faults_.data(); }
  constexpr const OperatorFault* end() const noexcept { return faults_.data() + count_; }
  constexpr bool is_empty() const noexcept { return count_ == 0; }

 private:
  std::array<OperatorFault, 2> faults_{};
  std::uint32_t count_ = 0;
};

/// What an operator with these flags (program::Flag) can do wrong. Whatever the checks: divide by zero, and where the
/// machine traps on it have a quotient that does not fit. What only C leaves undefined counts if it is checked, in the
/// user's code (the arithmetic of models is not theirs): signed sums, differences, products, negations and quotients
/// that do not fit, and shifts by the width or more.
OperatorFaults operator_faults(term::Op op, std::uint16_t flags, bool is_model, const program::Platform& platform,
                               program::CheckSet checks);
/// Of an instruction; none if it is no Operator.
OperatorFaults operator_faults(const program::Function& function, const program::Instruction& instruction,
                               const program::Platform& platform, program::CheckSet checks);

/// Two of the faults: those that a result modulo 2^width can follow on, so that looking for them is a choice.
constexpr bool is_optional(const OperatorFault& fault) noexcept {
  return fault.kind == program::FaultKind::ShiftOutOfRange ||
         (fault.kind == program::FaultKind::SignedOverflow && fault.predicate != term::Op::SdivOverflow);
}

/// The fault happens on these operands: on terms, and on numbers.
term::Term condition(term::TermStore& store, const OperatorFault& fault, std::span<const term::Term> operands);
bool happens(const OperatorFault& fault, std::span<const BitVector* const> operands);

}  // namespace plumb::semantics
