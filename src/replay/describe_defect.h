#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "program/fault.h"
#include "program/program.h"
#include "replay/seen_defect.h"
#include "result/defect/defect.h"

namespace plumb::replay {

/// Of an instruction; of its function if it has none of its own.
SourceLocation place_of(const program::Program& program, program::CodePoint point);

/// A fault with the calls that led to it (innermost first; of a leak none) as plain data. What the caller alone knows
/// is left empty: how it was shown, and the test.
result::Defect describe_defect(const program::Program& program, const program::Fault& fault,
                               std::span<const program::CodePoint> stack);

/// A defect as the run itself told it: kind, message, access and object, without places. `object_name`: of a variable.
/// `pointer_width`: of the machine, on which offsets wrap around.
result::Defect describe_seen(const SeenDefect& seen, std::uint32_t pointer_width, std::string object_name = {});

/// Sets place and function to what a user looks at first: the innermost call in code that is no model of ours, of the
/// stack, or of the allocation if the defect is a leak. Without such a call they stay what they are.
void blame_user_code(result::Defect& defect);

/// What is wrong in general, where no more is known: "access through a null pointer". Of memory and arithmetic.
std::string_view summary_of(program::FaultKind kind);

/// Of an enum plumb_defect (runtime/checks/checks.h).
program::FaultKind kind_of_defect(std::uint32_t defect);

}  // namespace plumb::replay
