#pragma once

#include <span>

#include "base/budget.h"
#include "paths/graph.h"

namespace plumb::paths {

/// What people call values that are joined, where that is known.
using JoinedNames = absl::flat_hash_map<Term, std::string>;

/// The graph of a property, given as terms that all hold where it is violated. An execution that merges paths joins the
/// values of a variable by a choice between them, `ite(condition, a, b)`; that is the variable's dynamic single
/// assignment, with one definition per way to the join. So each joined value below the property is a variable, a join
/// that is used as one branch of another one is part of that, and what nothing joins stands in the terms. Slicing is
/// reachability here, and constants were propagated when the terms were made. Booleans that are joined are formulas of
/// conditions, and arrays stay choices within terms: both are left to the store. Throws OutOfBudget.
Graph graph_of(TermStore& terms, std::span<const Term> property, const JoinedNames& names, const Budget& budget);

}  // namespace plumb::paths
