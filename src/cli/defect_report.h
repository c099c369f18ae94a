#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "base/error.h"
#include "program/fault.h"
#include "program/program.h"

namespace plumb::cli {

/// A fault, where it happened: what text and JSON say about a defect.
struct Defect {
  const program::Fault& fault;
  std::span<const program::CodePoint> stack;  ///< innermost first; empty for a leak
};

/// The point that a user looks at first: the innermost one in code that is not a model of ours; of a leak, where the
/// object was allocated.
program::CodePoint blamed_point(const program::Program& program, const Defect& defect);

/// `prog.c:12:10`, or the function's place if the instruction has none.
SourceLocation place_of(const program::Program& program, program::CodePoint point);

/// Several lines: kind and place, the message, the call stack, what object it was. Ends in a newline.
std::string to_text(const program::Program& program, const Defect& defect);
/// One line: `out-of-bounds at prog.c:12:10 in fill: write of 4 bytes …`.
std::string to_line(const program::Program& program, const Defect& defect);
nlohmann::ordered_json to_json(const program::Program& program, const Defect& defect);

}  // namespace plumb::cli
