#pragma once

#include <optional>

#include "interpret/code.h"

/// The handlers that decoding chooses from; each group stands in the source file of its name.
namespace plumb::interpret {

using program::FloatOp;
using program::Intrinsic;

/// Which operands of a binary operator are slots and which is the immediate.
enum class Form : std::uint8_t { SlotSlot, SlotImmediate, ImmediateSlot };

// operators.cpp. Operands a, b (c); the immediate is the constant one.
/// Specialised; nothing if there is none for this operator and width.
Handler binary_handler(term::Op op, std::uint32_t operand_width, Form form);
/// A comparison followed by the branch on it; edges of the branch.
Handler compare_branch_handler(term::Op op, std::uint32_t operand_width, Form form);
Decoded* copy_word(Decoded* at, std::uint64_t* slots, Machine& machine);        ///< a -> result
Decoded* set_word(Decoded* at, std::uint64_t* slots, Machine& machine);         ///< immediate -> result
Decoded* cut_word(Decoded* at, std::uint64_t* slots, Machine& machine);         ///< (a >> extra) & immediate
Decoded* extend_sign(Decoded* at, std::uint64_t* slots, Machine& machine);      ///< of a, by 64 - extra; & immediate
Decoded* select_word(Decoded* at, std::uint64_t* slots, Machine& machine);      ///< a ? b : c, slots all
Decoded* narrow_operator(Decoded* at, std::uint64_t* slots, Machine& machine);  ///< any, of widths up to 64
Decoded* wide_operator(Decoded* at, std::uint64_t* slots, Machine& machine);    ///< any

// checked_operators.cpp: operands as of narrow_operator
Decoded* checked_narrow(Decoded* at, std::uint64_t* slots, Machine& machine);  ///< faults by Program::checks
Decoded* checked_wide(Decoded* at, std::uint64_t* slots, Machine& machine);

// floats.cpp
Handler float_handler(FloatOp op, std::uint32_t operand_width, std::uint32_t width);

// accesses.cpp. Address a, value b.
Handler load_handler(std::uint32_t width, bool is_constant_address);
Handler store_handler(std::uint32_t width, bool is_constant_value);  ///< the value is the immediate
Decoded* allocate(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* copy_memory(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* fill_memory(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* check_index(Decoded* at, std::uint64_t* slots, Machine& machine);
/// After a check of an index that is wrong: computes the address that it is for, and puts one in its place where an
/// access does no harm.
Decoded* go_nowhere(Decoded* check, std::uint64_t* slots, Machine& machine);
Decoded* thread_local_address(Decoded* at, std::uint64_t* slots, Machine& machine);  ///< of global a, plus immediate

// control.cpp
Decoded* jump(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* branch(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* switch_narrow(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* switch_wide(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* halt(Decoded* at, std::uint64_t* slots, Machine& machine);

// calls.cpp
Decoded* call(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* call_exact(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* call_indirect(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* return_from(Decoded* at, std::uint64_t* slots, Machine& machine);

// intrinsics.cpp
Handler intrinsic_handler(Intrinsic intrinsic);

}  // namespace plumb::interpret
