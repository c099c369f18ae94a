#pragma once

#include <ostream>

#include "paths/graph.h"

namespace plumb::paths {

/// A line for each conditional node and each definition, with its conditional ancestors: `<n>` is a conditional node as
/// in Figures 2 and 3, `<n>` alone on the way to a definition means left (true), `!<n>` right.
void print(std::ostream& out, const Graph& graph);

/// In the language of Graphviz: definitions are boxes, conditional nodes diamonds with left and right edges.
void print_dot(std::ostream& out, const Graph& graph);

}  // namespace plumb::paths
