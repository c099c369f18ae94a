#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "check/loop_invariant.h"
#include "flatten/flatten.h"
#include "frontend/load.h"
#include "frontend/source_types.h"
#include "prove/prove.h"
#include "system/control_graph.h"
#include "term/term_store.h"

namespace plumb::check {

/// What is true whenever control is at one place of a graph.
struct KnownAt {
  SourceLocation place;                 ///< of the statement
  std::vector<term::Term> conjuncts{};  ///< none: nothing is known
};

/// What is known at the heads of the loops of the source, over variables that can be named there: one invariant a loop.
/// Conjuncts over anything else are left out. A loop that the graph has several times, or at whose head nothing can be
/// said, has none. `variable_of`: the position in Flattened::sources of what a variable of the conjuncts stands for.
std::vector<LoopInvariant> loop_invariants(
    const program::Program& program, const frontend::SourceTypes& types, const flatten::Flattened& flattened,
    const term::TermStore& store, std::span<const KnownAt> known,
    const std::function<std::optional<std::size_t>(term::Term variable)>& variable_of);

/// Of a proof. `graph` is what was encoded, with the variables and labels of `flattened` or a part of them; `system` is
/// the encoding's, maybe with more bads, and the certificate is of it. Loads the program once more for its names.
/// Throws OutOfBudget.
std::vector<LoopInvariant> proof_invariants(const program::Program& program, const frontend::LoadOptions& load,
                                            const flatten::Flattened& flattened, const system::ControlGraph& graph,
                                            const system::Encoding& encoding, system::System& system,
                                            const prove::Certificate& certificate, const Budget& budget);

}  // namespace plumb::check
