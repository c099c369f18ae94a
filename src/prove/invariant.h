#pragma once

#include <string>
#include <vector>

#include "prove/certificate.h"
#include "system/to_circuit.h"

namespace plumb::prove {

using term::Term;

/// Is the invariant, a term over the system's states, true in every step from `from` on, and does it exclude the bad?
/// Three queries: initiation (it holds in step `from`), safety (the bad is not true in steps 0 to `from`, nor behind a
/// step with the invariant and without the bad) and consecution (behind such a step the invariant holds). Constraints
/// are assumed in all steps that a query speaks of. An invariant that implies the property satisfies this as well as
/// one that is inductive together with it. Makes terms in the system's store.
Check check_invariant(System& system, Term bad, Term invariant, unsigned from, const Budget& budget);

/// Is the invariant true in every step before the first bad, and is the bad (the system's first) excluded by induction
/// over k steps in which it is used? Makes terms in the system's store.
Check check_strengthened_induction(System& system, Term invariant, std::size_t k, const Budget& budget);

/// As SMT-LIB over the symbols of the states; the other way throws UserError and OutOfBudget.
std::string write_invariant(const System& system, const std::vector<std::string>& symbols, Term invariant);
Term read_invariant(System& system, const std::vector<std::string>& symbols, const std::string& text,
                    const Budget& budget);

/// What a circuit's latches say, as terms over the states: one for each output of the graph, whose inputs are the
/// latches of `circuit`, in a step that is not the first.
std::vector<Term> invariant_terms(System& system, const system::SystemCircuit& circuit, const circuit::Aig& graph);

/// The candidates that hold in step `from` and follow from each other in the step before, if that was not bad: the
/// greatest such set (Flanagan and Leino, "Houdini, an Annotation Assistant for ESC/Java", 2001). Throws OutOfBudget.
std::vector<Term> inductive_subset(System& system, Term bad, std::vector<Term> candidates, unsigned from,
                                   const Budget& budget);

}  // namespace plumb::prove
