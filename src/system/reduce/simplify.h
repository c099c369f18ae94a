#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "system/control_graph.h"

namespace plumb::system {

/// What slicing takes for granted of loops that no property depends on.
enum class Loops : std::uint8_t {
  End,           ///< each ends: they are left out
  MayBeEndless,  ///< what stands behind one depends on its end
};

struct SimplifyOptions {
  std::vector<std::size_t> properties;  ///< that matter; checks of others fall away
  Loops loops = Loops::End;
  std::uint64_t max_statements = 200'000;  ///< executed in advance
};

/// A graph with the same variables, inputs and properties by position, in which each of `properties` fails in a run if
/// it does in `graph`. With Loops::MayBeEndless it does not fail in others; with Loops::End it may, in what stands
/// behind a loop of `graph` that never ends. What does not depend on inputs or free variables is executed in advance,
/// up to the limit and never a part of a loop; variables that are constant where they are read are replaced;
/// assignments, branches and loops that no property depends on are left out.
///
/// Inputs that are left out are not read. To follow a run of the simplified graph in `graph`, give each input the
/// values that it had there in their order, and any value when there are no more.
ControlGraph simplify(const ControlGraph& graph, const SimplifyOptions& options, const Budget& budget);

/// The parts of simplify(), on a graph in place. Needs of all: no check of a property that does not matter.

/// Replaces variables that are given one constant alone.
void replace_constants(ControlGraph& graph, const Budget& budget);
/// Executes what is known; what is not stays, as statements of its own in a row before the rest.
void execute_in_advance(ControlGraph& graph, std::uint64_t max_statements, const Budget& budget);
/// Leaves out what no check depends on, by data or by control (Weiser, "Program slicing", 1981; by the dependence graph
/// of Ferrante, Ottenstein and Warren).
void slice(ControlGraph& graph, Loops loops, const Budget& budget);

/// Every term of the reachable statements, to be replaced by what `change` gives for it.
template <typename Change>
void for_each_term(ControlGraph::Statement& statement, Change&& change) {
  for (ControlGraph::Check& check : statement.checks) change(check.condition);
  for (ControlGraph::Assignment& assignment : statement.assignments) change(assignment.value);
  for (ControlGraph::Target& target : statement.targets) change(target.condition);
}

/// Targets that can be taken alone; the last condition is true, as a statement needs it.
void fold_targets(ControlGraph& graph, ControlGraph::Statement& statement);

}  // namespace plumb::system
