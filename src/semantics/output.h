#pragma once

#include <optional>
#include <span>
#include <vector>

#include "program/program.h"
#include "term/term_store.h"

namespace plumb::semantics {

/// For whoever takes it for granted, as all engines do that do not write.
inline constexpr const char* kOutputSucceeds = "writing to standard output and standard error never fails";

/// Something reads what the call gives.
bool is_result_used(const program::Function& caller, const program::Instruction& call);

/// The objects behind `stdout` and `stderr`, as far as the program has the models'.
std::vector<program::GlobalId> standard_streams(const program::Program& program);

/// What a Call of an output function (calls.h) gives if nothing fails, as far as its arguments alone tell: the
/// characters of a `printf` whose format is constant and converts integers, characters and constant text. `arguments`
/// are the call's, `streams` the addresses of standard_streams(). Nothing where the model has to be executed. Not for
/// calls whose result is not used.
std::optional<term::Term> output_result(term::TermStore& store, const program::Program& program,
                                        const program::Function& caller, const program::Instruction& call,
                                        std::span<const term::Term> arguments, std::span<const term::Term> streams);

/// What HostWrite of `size` bytes gives if nothing fails; nothing if the descriptor is not that of output.
std::optional<term::Term> written_size(const term::TermStore& store, term::Term descriptor, term::Term size);

}  // namespace plumb::semantics
