#pragma once

#include <string>

#include "program/program.h"

namespace plumb::semantics {

/// How a call meets the function that it calls.
enum class CallFit : std::uint8_t {
  Exact,    ///< every parameter has an argument of its width; further arguments are ignored, as machines do
  Missing,  ///< the last parameters have no argument: they have any value (`void set(x) int x; {…} set();`)
  Wrong,    ///< a width differs, or the result is not what the call expects: FaultKind::InvalidCall
};
CallFit call_fit(const program::Function& caller, const program::Instruction& call, const program::Function& callee);

/// A model of a library function, or a function without a body, that does nothing but write to the outside.
bool is_output(const program::Function& function);
/// What the call of such a function may read of memory, apart from constant text: an engine that does not execute the
/// model does not see what it reads wrongly. `printf("%s", p)` does, `printf("%d", n)` does not.
bool reads_memory(const program::Program& program, const program::Function& caller, const program::Instruction& call);

/// For gaps: "function 'f' has no body: its result is arbitrary, and it writes nothing".
std::string missing_body_text(const program::Function& function);

}  // namespace plumb::semantics
