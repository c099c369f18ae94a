#pragma once

#include <cstddef>

#include "lang/bip/ast.h"
#include "lang/bip/model.h"

namespace plumb::bip {

/// More interactions than this are Unsupported: their priorities are a relation on them, and every state of an engine
/// has a wire for each.
inline constexpr std::size_t kMaxInteractions = 4096;

/// The compound type that options choose, without hierarchy. Components come in the order of declaration, depth first;
/// interactions in the same order, those of a compound's components before those of its connectors. Throws UserError,
/// Unsupported (too many interactions, components or priorities).
Model flatten(const Package& package, const Options& options, std::vector<Warning>& warnings);

}  // namespace plumb::bip
