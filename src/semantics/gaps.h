#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/program.h"
#include "result/gap.h"

namespace plumb::semantics {

/// What the program has lost on its way here, in functions that the entry may reach: constructs that lowering stopped
/// at, functions without a body, also where they are called through pointers, and, where memory is asked about, what
/// output reads that is not there to be executed. Whatever stood there, no goal can speak of it.
std::vector<result::Gap> find_gaps(const program::Program& program, bool is_memory_asked);

/// Of an EnterScope behind an Allocate that has a text: it is not known where the life of the object ends before that
/// of its call, and so where a use of it is wrong. The text, "the scope of 'x'", is that of a gap of kind Skipped where
/// memory is asked about.
std::optional<std::string> lost_scope(const program::Program& program, const program::Instruction& instruction);

}  // namespace plumb::semantics
