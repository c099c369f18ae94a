#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "result/defect/defect.h"
#include "result/defect/source_lines.h"

namespace plumb::result {

/// A defect for people, as sanitizers report: kind and place first, then the call stack with the lines of the source,
/// what object it was with the stacks of its allocation and free, the input, and the command that shows it again. Ends
/// in a newline.
std::string to_text(const Defect& defect, SourceLines& sources);
/// The same without the input, for whoever gave it.
std::string to_text_without_input(const Defect& defect, SourceLines& sources);
/// "double-free at list.c:12:3 in clear: second free of a heap object of 16 bytes".
std::string to_line(const Defect& defect);

/// A line a kind, in the order of defect_kinds(): "leak   list.c:7, list.c:12". Kinds are padded to `width`.
std::string kinds_text(std::span<const Defect* const> defects, std::size_t width);

/// Of a deep stack reports have its two ends.
struct StackPart {
  std::vector<std::size_t> shown;  ///< positions in the stack, rising
  std::size_t left_out = 0;        ///< so many after shown[gap - 1]
  std::size_t gap = 0;
};
StackPart part_of_stack(std::span<const StackFrame> stack);

/// What confirmed it, in words: "a native replay (SIGSEGV)", "the interpreter, which checks every access".
std::string confirmation_text(const Defect& defect);

}  // namespace plumb::result
